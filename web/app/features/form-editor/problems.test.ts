import { expect, test } from "vitest";
import type { Condition, Covers, Form, Question, Value } from "~/lib/waiver-form/types";
import {
  comparedValues,
  comparisonOf,
  conditionText,
  makeCondition,
  possibleDependencies,
  type Comparison,
} from "./conditions";
import { flagText } from "./flags";
import { findProblems } from "./problems";
import { refusalProblem } from "./refusal";

const ASTHMA: Question = { key: "asthma", kind: "yes_no", label: "Asthma?", asked_of: "participant" };
const SIZE: Question = { key: "size", kind: "number", label: "Shoe size" };
const SWIMS: Question = {
  key: "swims",
  kind: "one_of",
  label: "Swims?",
  options: [
    { value: "well", label: "Well" },
    { value: "badly", label: "Badly" },
  ],
};

const problemsOf = (questions: Question[], covers: Covers = {}) =>
  findProblems({ covers, questions }).map(({ question, field, text }) => [question, field, text]);

test("FORM-25 a valid form has no problems", () => {
  const questions: Question[] = [
    ASTHMA,
    { ...SIZE, min: 20, max: 50, show_if: { question: "asthma", is: true } },
    { ...SWIMS, flag: { when: { one_of: ["badly"] }, text: "Cannot swim well" } },
    {
      key: "born",
      kind: "birth_date",
      label: "Birth date",
      flag: { when: { age_below: 12 }, text: "Child" },
    },
  ];
  expect(problemsOf(questions, { minors: { most: 30 }, minimum_age: 8, maximum_age: 8 })).toEqual([]);
});

test.each<[string, Partial<Question>, string, string]>([
  ["an empty label", { label: "  " }, "label", "Please write the question."],
  ["a long label", { label: "é".repeat(501) }, "label", "Please write at most 500 characters."],
  ["an empty paragraph", { kind: "paragraph", label: "" }, "label", "Please write the text."],
  ["a long explanation", { help: "x".repeat(1001) }, "help", "Please write at most 1,000 characters."],
  ["no options", { kind: "one_of", options: [] }, "options", "Please add an option."],
  [
    "an empty option",
    { kind: "several_of", options: [{ value: "a", label: " " }] },
    "option-0",
    "Please write this option, or remove it.",
  ],
  [
    "equal options",
    {
      ...SWIMS,
      options: [
        { value: "a", label: "A" },
        { value: "b", label: "A" },
      ],
    },
    "option-1",
    "Another option has the same text.",
  ],
  [
    "limits the wrong way round",
    { min: 2, max: 1 },
    "max",
    "The highest number is lower than the lowest number.",
  ],
  ["a huge number", { max: 1e13 }, "max", "Please enter a smaller number."],
  [
    "a flag without a text",
    { flag: { when: "filled", text: "" } },
    "flag-text",
    "Please write what staff will see.",
  ],
  [
    "a flag below an age of 0",
    { flag: { when: { age_below: 0 }, text: "Child" } },
    "flag",
    "Please enter a whole number from 1 to 120.",
  ],
  [
    "a flag for an option that is gone",
    { ...SWIMS, flag: { when: { one_of: ["gone"] }, text: "Hm" } },
    "flag",
    "Please choose an answer.",
  ],
])("FORM-25 %s is a problem of its field", (_, changes, field, text) => {
  expect(problemsOf([{ ...SIZE, ...changes }])).toEqual([[0, field, text]]);
});

test("FORM-25 a condition needs an earlier question that the same people get, and an answer that can be given", () => {
  const inhaler: Question = { key: "inhaler", kind: "yes_no", label: "Inhaler?", asked_of: "participant" };
  const dependent = { ...inhaler, show_if: { question: "asthma", is: true } };
  expect(problemsOf([ASTHMA, dependent])).toEqual([]);
  expect(problemsOf([dependent])).toEqual([
    [0, "show_if", "The question it depends on was removed. Please choose another one."],
  ]);
  expect(problemsOf([dependent, ASTHMA])).toEqual([
    [0, "show_if", "This question must come after 'Asthma?', on which it depends."],
  ]);
  expect(problemsOf([{ ...ASTHMA, asked_of: "minor" }, dependent])).toEqual([
    [1, "show_if", "Not everyone who gets this question is asked 'Asthma?'."],
  ]);
  expect(problemsOf([SWIMS, { ...SIZE, show_if: { question: "swims", is: "gone" } }])).toEqual([
    [1, "show_if", "Please choose an answer."],
  ]);
});

test("FORM-24 the ages and the number of minors have limits", () => {
  const covers = { minors: { most: 31 }, age_of_majority: 3, minimum_age: 12, maximum_age: 8 };
  expect(problemsOf([], covers)).toEqual([
    [null, "most", "Please enter a whole number from 1 to 30."],
    [null, "age_of_majority", "Please enter a whole number from 14 to 30."],
    [null, "maximum_age", "The highest age is lower than the lowest age."],
  ]);
  expect(problemsOf([], { minors: { most: 1.5 } })).toHaveLength(1);
});

/** The same table as in cairn/waivers/sql/form.sql, is_asked_of_all. */
test.each([
  ["signer", "signer participant minor adult", "signer participant minor adult"],
  ["participant", "signer participant minor adult", "participant minor adult"],
  ["adult", "signer adult", ""],
  ["minor", "minor", "minor"],
] as const)(
  "FORM-22 questions that can depend on a question to %s: those to %s; if only minors are covered: %s",
  (earlier, both, minorsOnly) => {
    const dependents = (covers: Covers) =>
      (["signer", "participant", "minor", "adult"] as const)
        .filter((later) => {
          const form: Form = {
            covers,
            questions: [
              { ...ASTHMA, asked_of: earlier },
              { ...SIZE, asked_of: later },
            ],
          };
          return possibleDependencies(form, 1).length > 0;
        })
        .join(" ");
    expect(dependents({ minors: {} })).toBe(both);
    expect(dependents({ signer: false, minors: {} })).toBe(minorsOnly);
  },
);

test("FORM-22 FORM-23 conditions and flags are said in plain words", () => {
  expect(conditionText({ question: "asthma", is: true }, ASTHMA)).toBe("Show only if 'Asthma?' is Yes");
  expect(conditionText({ question: "swims", is_one_of: ["well", "badly"] }, SWIMS)).toBe(
    "Show only if 'Swims?' is Well or Badly",
  );
  expect(conditionText({ question: "size", is_filled: true }, SIZE)).toBe(
    "Show only if 'Shoe size' is filled in",
  );
  expect(conditionText({ question: "swims", is_not: "well" }, { ...SWIMS, kind: "several_of" })).toBe(
    "Show only if 'Swims?' does not include Well",
  );
  expect(flagText(ASTHMA, { when: "yes", text: "Asthma" })).toBe(
    "Show staff 'Asthma' when the answer is Yes",
  );
  expect(flagText(SWIMS, { when: { one_of: ["badly"] }, text: "Weak" })).toBe(
    "Show staff 'Weak' when the answer is Badly",
  );
  expect(flagText(SIZE, { when: { age_below: 12 }, text: "Child" })).toBe(
    "Show staff 'Child' when the age is below 12",
  );
});

test.each<[Condition, Comparison, Value[]]>([
  [{ question: "q", is: false }, "is", [false]],
  [{ question: "q", is_not: "a" }, "is_not", ["a"]],
  [{ question: "q", is_one_of: ["a", "b"] }, "is_one_of", ["a", "b"]],
  [{ question: "q", is_filled: true }, "is_filled", []],
])("the parts of the condition %j are read and put together again", (condition, comparison, values) => {
  expect(comparisonOf(condition)).toBe(comparison);
  expect(comparedValues(condition)).toEqual(values);
  expect(makeCondition("q", comparison, values)).toEqual(condition);
});

test.each([
  ["questions[2].label", 2, "question"],
  ["questions[12]", 12, "question"],
  ["covers.minors.most", null, "most"],
  ["covers.maximum_age", null, "maximum_age"],
  ["form", null, "form"],
])("FORM-26 a refusal at %s is shown at question %s, in the field %s", (place, question, field) => {
  expect(refusalProblem({ place, problem: "it is wrong" })).toEqual({
    question,
    field,
    text: "The server did not accept this: it is wrong.",
  });
});
