import { coversSigner, takesAnswer } from "~/lib/waiver-form/check-answers";
import type { Condition, Form, Question, Value } from "~/lib/waiver-form/types";
import { withoutFields } from "./fields";
import { audienceOf, hasOptions } from "./kinds";

export type Comparison = "is" | "is_not" | "is_one_of" | "is_filled";
export type ChoiceOption = { value: Value; label: string };

/** Returns the answers that can be chosen for a question. A question with a typed answer has none. */
export function choicesOf(question: Question): ChoiceOption[] {
  if (question.kind !== "yes_no") return question.options ?? [];
  return [
    { value: true, label: "Yes" },
    { value: false, label: "No" },
  ];
}

export function comparisonsOf(question: Question): Comparison[] {
  if (question.kind === "yes_no") return ["is", "is_filled"];
  return hasOptions(question) ? ["is", "is_not", "is_one_of", "is_filled"] : ["is_filled"];
}

export function comparisonOf(condition: Condition): Comparison {
  if (condition.is !== undefined) return "is";
  if (condition.is_not !== undefined) return "is_not";
  return condition.is_one_of ? "is_one_of" : "is_filled";
}

export function comparedValues(condition: Condition): Value[] {
  return [condition.is, condition.is_not, ...(condition.is_one_of ?? [])].filter(
    (value) => value !== undefined,
  );
}

/** `question` is the key of the question whose answer is compared. `is` and `is_not` use only the first value. */
export function makeCondition(question: string, comparison: Comparison, values: Value[]): Condition {
  const [first = ""] = values;
  switch (comparison) {
    case "is":
      return { question, is: first };
    case "is_not":
      return { question, is_not: first };
    case "is_one_of":
      return { question, is_one_of: values };
    case "is_filled":
      return { question, is_filled: true };
  }
}

/**
 * Proposes a condition on this question: that its first choice is chosen or, if it has no choices, that it is
 * filled in.
 */
export function proposeCondition(question: Question): Condition {
  const [first] = choicesOf(question);
  return first
    ? makeCondition(question.key, "is", [first.value])
    : makeCondition(question.key, "is_filled", []);
}

/** Returns the words that follow the question in a sentence, such as "is not". */
export function comparisonText(question: Question, comparison: Comparison): string {
  if (comparison === "is_filled") return FILLED_TEXT[question.kind] ?? "is filled in";
  return (question.kind === "several_of" ? INCLUDES_TEXT : IS_TEXT)[comparison];
}

const IS_TEXT = { is: "is", is_not: "is not", is_one_of: "is one of" };
const INCLUDES_TEXT = { is: "includes", is_not: "does not include", is_one_of: "includes one of" };
const FILLED_TEXT: Partial<Record<Question["kind"], string>> = {
  yes_no: "is answered",
  one_of: "is answered",
  several_of: "is answered",
  agreement: "is ticked",
};

/** For example: "Show only if 'Any medical conditions?' is Yes". */
export function conditionText(condition: Condition, earlier: Question): string {
  const comparison = comparisonOf(condition);
  const text = comparisonText(earlier, comparison === "is_one_of" ? "is" : comparison);
  const values = valueText(earlier, comparedValues(condition));
  return ["Show only if", `'${earlier.label.trim()}'`, text, values].filter(Boolean).join(" ");
}

const anyOf = new Intl.ListFormat("en", { type: "disjunction" });

export function valueText(question: Question, values: Value[]): string {
  const choices = choicesOf(question);
  return anyOf.format(
    values.map((value) => choices.find((choice) => choice.value === value)?.label ?? String(value)),
  );
}

/** Returns the earlier questions on which the database lets this one depend. */
export function possibleDependencies(form: Form, position: number): Question[] {
  const later = form.questions[position];
  if (!later) return [];
  return form.questions
    .slice(0, position)
    .filter((earlier) => takesAnswer(earlier) && coversAudience(form, earlier, later));
}

/**
 * Returns whether everyone who gets the later question also gets the earlier one. If the earlier one is asked
 * of the signer, the signer's answer counts for every participant.
 */
export function coversAudience(form: Form, earlier: Question, later: Question): boolean {
  const signerTakesPart = coversSigner(form);
  switch (audienceOf(earlier)) {
    case "signer":
      return true;
    case "participant":
      return audienceOf(later) !== "signer" || signerTakesPart;
    case "adult":
      return (audienceOf(later) === "adult" || audienceOf(later) === "signer") && signerTakesPart;
    case "minor":
      return audienceOf(later) === "minor";
  }
}

export function withCondition(question: Question, condition: Condition | null): Question {
  return condition ? { ...question, show_if: condition } : withoutFields(question, "show_if");
}
