import { isSameForm } from "./draft";

type WithForm = { version: number; form: object | null };

/** Says how the questions of a version differ from those of the version before. Returns null if they are the same. */
export function formChange({ version, form }: WithForm, previous: WithForm | undefined): string | null {
  // The list contains only the newest versions, so there may be an earlier one that is not in the list.
  if (!previous && version > 1) return null;
  const earlierForm = previous?.form ?? null;
  if (isSameForm(form, earlierForm)) return null;
  if (!form) return "Questions removed";
  return earlierForm ? "Questions changed" : "Questions added";
}
