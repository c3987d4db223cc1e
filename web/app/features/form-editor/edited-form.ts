import type { Covers, Form, Question } from "~/lib/waiver-form/types";

/** A question in the editor. Its key can change with its label, but its id never changes. */
export type Item = { id: number; question: Question };

/** The form while it is edited. `removed` is the question that was removed last, with its former position. */
export type EditedForm = {
  items: Item[];
  covers: Covers;
  nextId: number;
  removed: { item: Item; position: number } | null;
};

const isForm = (value: object | null): value is Form =>
  value !== null && "questions" in value && Array.isArray(value.questions);

/** Returns the stored form of a template. If there is none, it returns a form without questions. */
export function readForm(value: object | null): Form {
  return isForm(value) ? value : { questions: [] };
}

export function startEditing(value: object | null): EditedForm {
  const { questions, covers = {} } = readForm(value);
  const items = questions.map((question, id) => ({ id, question }));
  return { items, covers, nextId: items.length, removed: null };
}

/**
 * Returns the form as it is saved. It is null if it has neither questions nor rules about whom it covers, unless the
 * text has places for initials: guests are asked for initials only if there is a form.
 */
export function toForm({ items, covers }: EditedForm, hasInitials: boolean): Form | null {
  const isDefault =
    items.length === 0 && Object.values(covers).every((rule) => rule === null || rule === true);
  if (isDefault && !hasInitials) return null;
  const questions = items.map(({ question }) => question);
  return isDefault ? { questions } : { covers, questions };
}
