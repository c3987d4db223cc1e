import { checkFormColumns } from "../../../lib/waiver-form/check-form-columns";
import { refusalText } from "../../../lib/waiver-form/refusal-text";
import type { Form, Refusal } from "../../../lib/waiver-form/types";
import { isEmailAddress } from "../../../lib/email-address";
import { CONSENT_REQUIRED, INCOMPLETE_EMAIL } from "../model";
import { isSignature } from "../signature-input";
import type { Draft } from "../signing-form";
import { toFormColumns, type FormDraft, type StepId } from "./form-draft";

/** `field` is the `data-field` of the element that the text is shown at. */
export type Problem = { step: StepId; field: string; text: string; code?: string };

/** Returns what has to be changed before the waiver can be sent: first in the form, then in the other fields. */
export function findProblems(
  form: Form,
  content: string,
  draft: Draft,
  formDraft: FormDraft,
  needsConsent: boolean,
  today: string,
): Problem[] {
  const columns = toFormColumns(form, content, formDraft, today, (signature) =>
    isSignature(signature) ? "signed" : null,
  );
  const problems: Problem[] = checkFormColumns(form, content, columns, today).map((refusal) => ({
    ...toProblem(form, refusal, formDraft),
    code: refusal.code,
  }));
  const add = (step: StepId, field: string, text: string) => problems.push({ step, field, text });
  if (!draft.name.trim()) add("people", "name", "Please enter your name.");
  if (!draft.email.trim()) add("people", "email", "Please enter your email address.");
  else if (!isEmailAddress(draft.email)) add("people", "email", INCOMPLETE_EMAIL);
  if (!isSignature(draft.signature)) add("sign", "signature", "Please sign here.");
  if (needsConsent && !draft.consentedAt) add("sign", "consent", CONSENT_REQUIRED);
  return problems;
}

/** Returns where a refusal is shown, and its text. Refusals of the browser and of the server are shown alike. */
export function toProblem(form: Form, refusal: Refusal, draft: FormDraft): Problem {
  const { question, participant, place } = refusal;
  const text = refusalText(form, refusal);
  const person: StepId = participant === undefined ? "signer" : `minor-${participant}`;
  if (question !== undefined) return { step: person, field: `question-${question}`, text };
  switch (refusal.code) {
    case "answers_too_long":
    case "answers_invalid":
    case "signer_is_minor":
      return { step: person, field: birthDateField(form), text };
    case "participant_too_young":
    case "participant_too_old":
      return participant === undefined
        ? { step: person, field: birthDateField(form), text }
        : { step: "people", field: `${person}-birth_date`, text };
    case "participant_birth_date_required":
    case "participant_is_adult":
      return { step: "people", field: `${person}-birth_date`, text };
    case "participant_name_required":
      return { step: "people", field: `${person}-name`, text };
    case "participant_signature_required":
      return { step: "sign", field: `${person}-signature`, text };
    case "guardian_required":
      return draft.relationship.trim()
        ? { step: "people", field: "authority", text: "Please confirm that you may sign for them." }
        : { step: "people", field: "relationship", text: "Please say how you are related to them." };
    case "initials_required":
      return { step: "text", field: `initials-${place}`, text };
    case "participant_required":
    case "participants_not_covered":
    case "too_many_participants":
      return { step: "people", field: "minors", text };
    default:
      return { step: "sign", field: "sign", text };
  }
}

/** Returns the field of the signer's birth date, or of the first question if the form does not ask for it. */
function birthDateField(form: Form): string {
  const question = form.questions.find(({ kind }) => kind === "birth_date") ?? form.questions[0];
  return `question-${question?.key}`;
}
