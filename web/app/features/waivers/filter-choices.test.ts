import { expect, test } from "vitest";
import { TEMPLATE_CHOICES } from "~/../testing/template-choices";
import { answerChoices, filterSummary, flagChoices, questionChoices } from "./filter-choices";
import { DEFAULT_LISTING } from "./model";

test("FORM-42 the flags of all templates are offered once each, or those of the chosen template", () => {
  expect(flagChoices(TEMPLATE_CHOICES, {})).toEqual(["Asthma", "Cannot swim", "No helmet"]);
  expect(flagChoices(TEMPLATE_CHOICES, { template: "bike" })).toEqual(["Asthma", "No helmet"]);
  expect(flagChoices(TEMPLATE_CHOICES, { template: "plain" })).toEqual([]);
  // A flag from a link stays visible.
  expect(flagChoices(TEMPLATE_CHOICES, { template: "plain", flag: "Allergy" })).toEqual(["Allergy"]);
});

const keysOf = (template?: string) =>
  questionChoices(TEMPLATE_CHOICES, { template }).map((question) => question.key);

test("FORM-42 only questions of the chosen template with a list of answers are offered", () => {
  expect(keysOf()).toEqual([]);
  expect(keysOf("river")).toEqual(["asthma", "swims", "terms"]);
  expect(keysOf("plain")).toEqual([]);
});

test("FORM-42 the answers are offered as people say them", () => {
  const answers = questionChoices(TEMPLATE_CHOICES, { template: "river" }).map(answerChoices);
  expect(answers).toEqual([
    [
      ["true", "Yes"],
      ["false", "No"],
    ],
    [
      ["well", "Well"],
      ["badly", "Not well"],
    ],
    [["true", "Agreed"]],
  ]);
});

test.each([
  [{ term: " gil ", status: "signed" }, "search \u201Cgil\u201D, status Signed"],
  [{ flag: "" }, "any flag"],
  [{ flag: "Asthma", template: "bike" }, "template Bike tour, flag Asthma"],
  [
    { template: "river", question: "swims", answer: "badly" },
    "template River trip, \u201CHow well do you swim?\u201D is Not well",
  ],
  [{ template: "gone", question: "left", answer: "no" }, "template gone, \u201Cleft\u201D is no"],
] as const)("FORM-42 the filters %o are described as %s", (filters, summary) => {
  expect(filterSummary({ ...DEFAULT_LISTING, ...filters }, TEMPLATE_CHOICES)).toBe(summary);
});
