import { expect, test } from "vitest";
import type { Form } from "~/lib/waiver-form/types";
import { BLOCKS } from "./blocks";
import {
  addQuestions,
  blankQuestion,
  changeOption,
  changeQuestion,
  duplicateQuestion,
  moveQuestion,
  removeQuestion,
  undoRemoval,
} from "./changes";
import { startEditing, toForm, type EditedForm } from "./edited-form";
import { KIND_CHOICES } from "./kinds";
import { findProblems } from "./problems";

const NOTHING_SAVED = new Set<string>();
const FORM: Form = {
  questions: [
    { key: "asthma", kind: "yes_no", label: "Asthma?" },
    { key: "inhaler", kind: "yes_no", label: "Inhaler?", show_if: { question: "asthma", is: true } },
    {
      key: "swims",
      kind: "one_of",
      label: "Swims?",
      options: [{ value: "well", label: "Well" }],
      flag: { when: { one_of: ["well"] }, text: "Swims" },
    },
    { key: "vest", kind: "yes_no", label: "Vest?", show_if: { question: "swims", is_one_of: ["well"] } },
  ],
};
const questionsOf = (form: EditedForm) => form.items.map(({ question }) => question);
const keysOf = (form: EditedForm) => questionsOf(form).map(({ key }) => key);
const labelled = (form: EditedForm, id: number, label: string, savedKeys: ReadonlySet<string>) => {
  const question = form.items.find((item) => item.id === id)?.question;
  return question ? changeQuestion(form, id, { ...question, label }, savedKeys) : form;
};

test("FORM-29 the key of a new question follows its label, and conditions follow the key", () => {
  const form = labelled(startEditing(FORM), 0, "Do you have asthma?", NOTHING_SAVED);

  expect(questionsOf(form)[0]?.key).toBe("do_you_have_asthma");
  expect(questionsOf(form)[1]?.show_if).toEqual({ question: "do_you_have_asthma", is: true });
});

test("FORM-29 a saved question keeps its key, and no other question gets it", () => {
  const savedKeys = new Set(["asthma"]);
  const renamed = labelled(startEditing(FORM), 0, "Breathing?", savedKeys);
  expect(questionsOf(renamed)[0]).toMatchObject({ key: "asthma", label: "Breathing?" });

  const removed = removeQuestion(renamed, 0);
  const added = addQuestions(removed, [{ kind: "date", label: "Asthma" }], savedKeys);
  expect(keysOf(added)).toEqual(["inhaler", "swims", "vest", "asthma_2"]);
});

test("FORM-29 the value of a new option follows its label, in flags and conditions too, and a saved one stays", () => {
  const changed = questionsOf(changeOption(startEditing(FORM), 2, 0, "Very well", NOTHING_SAVED));
  expect(changed[2]).toMatchObject({
    options: [{ value: "very_well", label: "Very well" }],
    flag: { when: { one_of: ["very_well"] } },
  });
  expect(changed[3]?.show_if).toEqual({ question: "swims", is_one_of: ["very_well"] });

  const saved = questionsOf(changeOption(startEditing(FORM), 2, 0, "Very well", new Set(["well"])));
  expect(saved[2]?.options).toEqual([{ value: "well", label: "Very well" }]);
});

test("a question moves to a position, a copy follows its original, and a removed question comes back", () => {
  const form = startEditing(FORM);
  expect(keysOf(moveQuestion(form, 2, 0))).toEqual(["swims", "asthma", "inhaler", "vest"]);
  expect(keysOf(moveQuestion(form, 0, 3))).toEqual(["inhaler", "swims", "vest", "asthma"]);
  const copied = duplicateQuestion(form, 1, NOTHING_SAVED);
  expect(questionsOf(copied)[2]).toEqual({ ...FORM.questions[1], key: "inhaler_2" });
  expect(copied.items.map(({ id }) => id)).toEqual([0, 1, 4, 2, 3]);
  expect(undoRemoval(removeQuestion(form, 1))).toEqual(form);
});

test("FORM-27 the ready-made blocks are valid even if each is added twice, and conditions refer to questions of their own block", () => {
  let all = startEditing(null);
  for (const { questions } of [...BLOCKS, ...BLOCKS]) all = addQuestions(all, questions, NOTHING_SAVED);
  const form = toForm(all, false);

  expect(findProblems(form ?? { questions: [] })).toEqual([]);
  expect(new Set(keysOf(all)).size).toBe(all.items.length);
  expect(form?.questions.map(({ show_if }) => show_if?.question).filter(Boolean)).toEqual([
    "do_you_have_a_medical_condition_that_we",
    "do_you_take_medication",
    "do_you_have_a_medical_condition_that_w_2",
    "do_you_take_medication_2",
  ]);
});

test("FORM-21 a question of every kind can be added, and only its texts are missing", () => {
  let form = startEditing(null);
  for (const { value: kind } of KIND_CHOICES) form = addQuestions(form, [blankQuestion(kind)], NOTHING_SAVED);

  expect(form.items).toHaveLength(17);
  expect(findProblems({ questions: questionsOf(form) }).filter(({ isEmptyField }) => !isEmptyField)).toEqual(
    [],
  );
});

test("FORM-28 a form without questions and rules is saved as null, unless the text has a place for initials", () => {
  const blank = startEditing(null);
  expect(toForm(blank, false)).toBeNull();
  expect(toForm(blank, true)).toEqual({ questions: [] });
  expect(toForm({ ...blank, covers: { signer: true, minors: null } }, false)).toBeNull();
  expect(toForm({ ...blank, covers: { minimum_age: 8 } }, false)).toEqual({
    covers: { minimum_age: 8 },
    questions: [],
  });
  expect(toForm(startEditing(FORM), false)).toEqual({ ...FORM, covers: {} });
});
