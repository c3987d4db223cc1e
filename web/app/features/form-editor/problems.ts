import { takesAnswer } from "~/lib/waiver-form/check-answers";
import { lengthOf } from "~/lib/waiver-form/clean-text";
import type { Covers, Form, Question, Value } from "~/lib/waiver-form/types";
import { choicesOf, comparedValues, comparisonOf, coversAudience } from "./conditions";
import { hasOptions, maxLabelLength } from "./kinds";

/** `question` is the position of the question, or null if the problem is about whom the form covers. */
export type Problem = {
  question: number | null;
  field: string;
  text: string;
  /** The field is only empty, so the problem is not shown while the user is still writing. */
  isEmptyField?: boolean;
};

type FieldProblem = Omit<Problem, "question">;

export const MAX_QUESTIONS = 100;
export const MAX_OPTIONS = 50;
export const MAX_AGE = 120;
export const MAX_MINORS = 30;
const MAX_NUMBER = 1e12;

/** Applies the rules of cairn/waivers/sql/form.sql, so that the user sees what the database would refuse. */
export function findProblems(form: Form): Problem[] {
  return [
    ...form.questions.flatMap((question, position) =>
      questionProblems(form, question, position).map((problem) => ({ ...problem, question: position })),
    ),
    ...coverProblems(form.covers ?? {}).map((problem) => ({ ...problem, question: null })),
  ];
}

function questionProblems(form: Form, question: Question, position: number): FieldProblem[] {
  return [
    ...textProblems(question),
    ...(hasOptions(question) ? optionProblems(question) : []),
    ...rangeProblems(question),
    ...conditionProblems(form, question, position),
    ...flagProblems(question),
  ];
}

function textProblems(question: Question): FieldProblem[] {
  const { label, help = "" } = question;
  const maxLength = maxLabelLength(question);
  const problems: FieldProblem[] = [];
  if (!label.trim())
    problems.push({
      field: "label",
      text: takesAnswer(question) ? "Please write the question." : "Please write the text.",
      isEmptyField: true,
    });
  if (lengthOf(label) > maxLength) problems.push({ field: "label", text: tooLong(maxLength) });
  if (lengthOf(help) > 1000) problems.push({ field: "help", text: tooLong(1000) });
  return problems;
}

const tooLong = (length: number): string => `Please write at most ${length.toLocaleString("en")} characters.`;

function optionProblems({ options = [] }: Question): FieldProblem[] {
  if (options.length === 0) return [{ field: "options", text: "Please add an option.", isEmptyField: true }];
  if (options.length > MAX_OPTIONS)
    return [{ field: "options", text: `A question can have at most ${MAX_OPTIONS} options.` }];
  return options.flatMap(({ label }, index): FieldProblem[] => {
    const field = `option-${index}`;
    if (!label.trim())
      return [{ field, text: "Please write this option, or remove it.", isEmptyField: true }];
    if (lengthOf(label) > 200) return [{ field, text: tooLong(200) }];
    const isRepeated = options.slice(0, index).some((other) => other.label.trim() === label.trim());
    return isRepeated ? [{ field, text: "Another option has the same text." }] : [];
  });
}

function rangeProblems({ min, max }: Question): FieldProblem[] {
  if (Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)) > MAX_NUMBER)
    return [{ field: "max", text: "Please enter a smaller number." }];
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ field: "max", text: "The highest number is lower than the lowest number." }];
}

function conditionProblems(form: Form, question: Question, position: number): FieldProblem[] {
  const condition = question.show_if;
  if (!condition) return [];
  const field = "show_if";
  const earlierPosition = form.questions.findIndex(({ key }) => key === condition.question);
  const earlier = form.questions[earlierPosition];
  if (!earlier)
    return [{ field, text: "The question it depends on was removed. Please choose another one." }];
  if (earlierPosition >= position)
    return [{ field, text: `This question must come after '${earlier.label.trim()}', on which it depends.` }];
  if (!coversAudience(form, earlier, question))
    return [{ field, text: `Not everyone who gets this question is asked '${earlier.label.trim()}'.` }];
  const isComplete = comparisonOf(condition) === "is_filled" || isOffered(earlier, comparedValues(condition));
  return isComplete ? [] : [{ field, text: "Please choose an answer." }];
}

/**
 * Tells whether there is at least one value, and each is an answer that can be given. A question without
 * choices can have any answer.
 */
function isOffered(question: Question, values: Value[]): boolean {
  const choices = choicesOf(question);
  if (choices.length === 0) return values.length > 0;
  return values.length > 0 && values.every((value) => choices.some((choice) => choice.value === value));
}

function flagProblems(question: Question): FieldProblem[] {
  const { flag } = question;
  if (!flag) return [];
  const problems: FieldProblem[] = [];
  if (!flag.text.trim())
    problems.push({ field: "flag-text", text: "Please write what staff will see.", isEmptyField: true });
  if (lengthOf(flag.text) > 200) problems.push({ field: "flag-text", text: tooLong(200) });
  if (typeof flag.when === "string") return problems;
  if ("one_of" in flag.when) {
    if (!isOffered(question, flag.when.one_of))
      problems.push({ field: "flag", text: "Please choose an answer." });
  } else problems.push(...wholeNumberProblems("flag", flag.when.age_below, 1, MAX_AGE));
  return problems;
}

function coverProblems(covers: Covers): FieldProblem[] {
  const { minors, age_of_majority, minimum_age, maximum_age } = covers;
  const problems = [
    ...wholeNumberProblems("most", minors?.most, 1, MAX_MINORS),
    ...wholeNumberProblems("own_signature_from_age", minors?.own_signature_from_age, 0, MAX_AGE),
    ...wholeNumberProblems("age_of_majority", age_of_majority, 14, 30),
    ...wholeNumberProblems("minimum_age", minimum_age, 0, MAX_AGE),
    ...wholeNumberProblems("maximum_age", maximum_age, 0, MAX_AGE),
  ];
  if ((minimum_age ?? 0) > (maximum_age ?? MAX_AGE))
    problems.push({ field: "maximum_age", text: "The highest age is lower than the lowest age." });
  return problems;
}

function wholeNumberProblems(
  field: string,
  value: number | null | undefined,
  lowest: number,
  highest: number,
): FieldProblem[] {
  if (value === null || value === undefined) return [];
  const isValid = Number.isInteger(value) && value >= lowest && value <= highest;
  return isValid ? [] : [{ field, text: `Please enter a whole number from ${lowest} to ${highest}.` }];
}
