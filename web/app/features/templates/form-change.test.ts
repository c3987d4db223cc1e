import { expect, test } from "vitest";
import { isSameForm } from "./draft";
import { formChange } from "./form-change";

const swims = {
  covers: { signer: true },
  questions: [{ key: "swims", kind: "yes_no", label: "Do you swim?" }],
};
const sameInOtherOrder = {
  questions: [{ label: "Do you swim?", kind: "yes_no", key: "swims" }],
  covers: { signer: true },
};

test("the order of fields does not matter for a form, and the order of questions does", () => {
  const [question] = swims.questions;
  const other = { ...question, key: "other" };
  expect(isSameForm(swims, sameInOtherOrder)).toBe(true);
  expect(isSameForm({ questions: [question, other] }, { questions: [other, question] })).toBe(false);
  expect(isSameForm(swims, null)).toBe(false);
});

test.each([
  [null, null, null],
  [swims, sameInOtherOrder, null],
  [swims, null, "Questions added"],
  [null, swims, "Questions removed"],
  [swims, { questions: [] }, "Questions changed"],
])("the history says how the questions of a version changed: %#", (form, earlier, change) => {
  expect(formChange({ version: 2, form }, { version: 1, form: earlier })).toBe(change);
});

test("the first version adds questions, and nothing is said if the version before is not known", () => {
  expect(formChange({ version: 1, form: swims }, undefined)).toBe("Questions added");
  expect(formChange({ version: 7, form: swims }, undefined)).toBeNull();
});
