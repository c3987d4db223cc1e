import type { Form } from "../../../lib/waiver-form/types";
import type { Draft } from "../signing-form";
import type { FormDraft } from "./form-draft";

/** What every step of the form gets. */
export type StepProps = {
  form: Form;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  formDraft: FormDraft;
  onFormDraft: (formDraft: FormDraft) => void;
  /** What is wrong, by the field at which it is shown. */
  problems: Partial<Record<string, string>>;
  today: string;
};
