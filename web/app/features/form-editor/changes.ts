import type { Question, QuestionKind, Value } from "~/lib/waiver-form/types";
import type { EditedForm, Item } from "./edited-form";
import { keyFor } from "./keys";
import { KIND_NAMES } from "./kinds";
import { withoutFields } from "./fields";

/** The keys of the saved questions. No new question gets one of them, because stored answers refer to them. */
export type SavedKeys = ReadonlySet<string>;
/** A question that has no key yet. The key is made from its label. */
export type NewQuestion = Omit<Question, "key">;

export function blankQuestion(kind: QuestionKind): NewQuestion {
  if (kind !== "one_of" && kind !== "several_of") return { kind, label: DEFAULT_LABELS[kind] ?? "" };
  return {
    kind,
    label: "",
    options: [
      { value: "option_1", label: "" },
      { value: "option_2", label: "" },
    ],
  };
}

const DEFAULT_LABELS: Partial<Record<QuestionKind, string>> = {
  birth_date: "Birth date",
  email: "Email address",
  phone: "Phone number",
  address: "Address",
  emergency_contact: "Emergency contact",
  photo: "Photo",
};

/**
 * Adds questions at the end. If the condition of a new question names an earlier new question by its label,
 * the label is replaced with the key of that earlier question.
 */
export function addQuestions(form: EditedForm, questions: NewQuestion[], savedKeys: SavedKeys): EditedForm {
  const takenKeys = new Set([...savedKeys, ...form.items.map(({ question }) => question.key)]);
  const keys = new Map<string, string>();
  const newItems = questions.map((question, index): Item => {
    const key = keyFor(question.label, question.kind, takenKeys);
    takenKeys.add(key);
    keys.set(question.label, key);
    const condition = question.show_if;
    return {
      id: form.nextId + index,
      question: {
        key,
        ...question,
        ...(condition && {
          show_if: { ...condition, question: keys.get(condition.question) ?? condition.question },
        }),
      },
    };
  });
  return {
    ...form,
    items: [...form.items, ...newItems],
    nextId: form.nextId + newItems.length,
    removed: null,
  };
}

/**
 * Replaces a question. If it was never saved and its label has changed, it gets a new key, and the conditions
 * that refer to it are updated.
 */
export function changeQuestion(
  form: EditedForm,
  id: number,
  changed: Question,
  savedKeys: SavedKeys,
): EditedForm {
  const previous = form.items.find((item) => item.id === id)?.question;
  if (!previous) return form;
  const otherKeys = form.items.filter((item) => item.id !== id).map(({ question }) => question.key);
  const followsLabel = !savedKeys.has(previous.key) && changed.label !== previous.label;
  const key = followsLabel
    ? keyFor(changed.label, changed.kind, new Set([...savedKeys, ...otherKeys]))
    : previous.key;
  const items = form.items.map((item) => {
    if (item.id === id) return { id, question: { ...changed, key } };
    return item.question.show_if?.question === previous.key
      ? { ...item, question: { ...item.question, show_if: { ...item.question.show_if, question: key } } }
      : item;
  });
  return { ...form, items, removed: null };
}

/** Changes the label of an option. If the option was never saved, its value is made from the new label. */
export function changeOption(
  form: EditedForm,
  id: number,
  index: number,
  label: string,
  savedValues: ReadonlySet<string>,
) {
  const question = form.items.find((item) => item.id === id)?.question;
  const option = question?.options?.[index];
  if (!question?.options || !option) return form;
  const otherValues = question.options.filter((_, position) => position !== index).map(({ value }) => value);
  const value = savedValues.has(option.value)
    ? option.value
    : keyFor(label, `option_${index + 1}`, new Set([...savedValues, ...otherValues]));
  const options = question.options.map((other, position) => (position === index ? { value, label } : other));
  const items = form.items.map((item) => {
    const current = item.id === id ? { ...question, options } : item.question;
    return { ...item, question: replaceValue(current, question.key, option.value, value) };
  });
  return { ...form, items, removed: null };
}

/** Replaces the value of an option in the flag of its question and in the conditions that refer to it. */
function replaceValue(question: Question, key: string, from: Value, to: Value): Question {
  const replace = (value: Value) => (value === from ? to : value);
  const { show_if: condition, flag } = question;
  const changed = { ...question };
  if (condition?.question === key) {
    changed.show_if = {
      ...condition,
      ...(condition.is !== undefined && { is: replace(condition.is) }),
      ...(condition.is_not !== undefined && { is_not: replace(condition.is_not) }),
      ...(condition.is_one_of && { is_one_of: condition.is_one_of.map(replace) }),
    };
  }
  if (question.key === key && flag && typeof flag.when === "object" && "one_of" in flag.when)
    changed.flag = { ...flag, when: { one_of: flag.when.one_of.map(replace) } };
  return changed;
}

export function moveQuestion(form: EditedForm, id: number, position: number): EditedForm {
  const item = form.items.find((candidate) => candidate.id === id);
  if (!item) return form;
  const items = form.items.filter((other) => other !== item);
  items.splice(Math.max(0, position), 0, item);
  return { ...form, items, removed: null };
}

export function duplicateQuestion(form: EditedForm, id: number, savedKeys: SavedKeys): EditedForm {
  const position = form.items.findIndex((item) => item.id === id);
  const original = form.items[position];
  if (!original) return form;
  const copy = addQuestions(form, [withoutFields(original.question, "key")], savedKeys);
  return moveQuestion(copy, form.nextId, position + 1);
}

export function removeQuestion(form: EditedForm, id: number): EditedForm {
  const position = form.items.findIndex((item) => item.id === id);
  const item = form.items[position];
  if (!item) return form;
  return { ...form, items: form.items.filter((other) => other !== item), removed: { item, position } };
}

export function undoRemoval(form: EditedForm): EditedForm {
  const { removed } = form;
  if (!removed) return form;
  return { ...form, items: form.items.toSpliced(removed.position, 0, removed.item), removed: null };
}

/** Returns what the editor calls a question: its label, or its kind while it has no label. */
export function nameOf({ kind, label }: Question): string {
  return label.trim() || KIND_NAMES[kind];
}
