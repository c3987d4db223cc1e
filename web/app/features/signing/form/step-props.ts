import type { Form } from "../../../lib/waiver-form/types";
import type { Draft } from "../signing-form";
import type { FormDraft } from "./form-draft";

/** The props of every step of the form. */
export type StepProps = {
  form: Form;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  formDraft: FormDraft;
  onFormDraft: (formDraft: FormDraft) => void;
  /** The texts of the problems, by the field at which they are shown. */
  problems: Partial<Record<string, string>>;
  today: string;
};
