import { cleanAnswer, givenAnswer } from "./answer-rules";
import type { Answer, Answers, Condition, Form, Question, Refusal, Value } from "./types";

/** The signer, or the position of a minor in the list. */
export type Person = "signer" | number;

export function coversSigner(form: Form): boolean {
  return form.covers?.signer ?? true;
}

export function takesAnswer({ kind }: Question): boolean {
  return kind !== "heading" && kind !== "paragraph";
}

/** The signer is always an adult. The signer is also a participant, unless the form covers only minors. */
export function isFor(form: Form, question: Question, person: Person): boolean {
  const isSigner = person === "signer";
  switch (question.asked_of) {
    case "participant":
      return !isSigner || coversSigner(form);
    case "adult":
      return isSigner && coversSigner(form);
    case "minor":
      return !isSigner;
    default:
      return isSigner;
  }
}

/** A question that was not shown has no answer, so the questions that depend on it are not shown either. */
function isShown(condition: Condition | undefined, answers: Answers): boolean {
  if (!condition) return true;
  const answer = answers[condition.question];
  if (answer === undefined || answer === null) return false;
  if (condition.is !== undefined) return isChosen(answer, condition.is);
  if (condition.is_not !== undefined) return !isChosen(answer, condition.is_not);
  return condition.is_one_of?.some((value) => isChosen(answer, value)) ?? true;
}

/** If several options were chosen, it is enough that one of them is the wanted one. */
function isChosen(answer: Answer, wanted: Value): boolean {
  return Array.isArray(answer) ? answer.some((value) => value === wanted) : answer === wanted;
}

/**
 * Returns the answers of the signer on which the questions to a minor can depend. Questions to every participant are
 * left out, because each minor answers these too.
 */
export function sharedAnswers(form: Form, signerAnswers: Answers): Answers {
  const ownKeys = form.questions.filter((q) => q.asked_of === "participant").map((q) => q.key);
  return Object.fromEntries(Object.entries(signerAnswers).filter(([key]) => !ownKeys.includes(key)));
}

/**
 * Returns the questions that this person sees with these answers, in the order of the form. Headings and paragraphs
 * are among them. Invalid answers count as none.
 */
export function shownQuestions(
  form: Form,
  person: Person,
  answers: Answers,
  shared: Answers,
  today: string,
): Question[] {
  const accepted: Answers = {};
  return form.questions.filter((question) => {
    if (!isFor(form, question, person) || !isShown(question.show_if, { ...shared, ...accepted }))
      return false;
    const answer = givenAnswer(answers[question.key]);
    const cleaned = answer === null ? null : cleanAnswer(question, answer, today);
    if (cleaned !== null) accepted[question.key] = cleaned;
    return true;
  });
}

export type CheckedAnswers = { answers: Answers; refusals: Refusal[] };

/**
 * Checks the answers of one person as the database does. It returns the cleaned answers and every refusal; the database
 * stops at the first one.
 */
export function checkAnswers(
  form: Form,
  given: Answers,
  person: Person,
  shared: Answers,
  today: string,
): CheckedAnswers {
  const about = person === "signer" ? {} : { participant: person };
  const answers: Answers = {};
  const refusals: Refusal[] = [];
  const refuse = (code: Refusal["code"], question?: string) =>
    refusals.push({ code, ...(question !== undefined && { question }), ...about });

  if (Object.keys(given).length > MAX_ANSWERS) refuse("answers_invalid");
  for (const question of form.questions) {
    const { key } = question;
    const answer = givenAnswer(given[key]);
    const expectsAnswer =
      takesAnswer(question) &&
      isFor(form, question, person) &&
      isShown(question.show_if, { ...shared, ...answers });
    if (!expectsAnswer) {
      if (answer !== null) refuse("answer_not_asked", key);
    } else if (answer === null) {
      if (question.required) refuse("answer_required", key);
    } else {
      const cleaned = cleanAnswer(question, answer, today);
      if (cleaned === null) refuse("answer_invalid", key);
      else answers[key] = cleaned;
    }
  }
  const keys = new Set(form.questions.map((question) => question.key));
  const unknown = Object.keys(given).find((key) => !keys.has(key));
  if (unknown !== undefined) refuse("question_unknown", [...unknown].slice(0, 100).join(""));
  if (bytesOf(form, answers) > MAX_BYTES) refuse("answers_too_long");
  return { answers, refusals };
}

/** A form has at most this many questions. */
const MAX_ANSWERS = 100;
const MAX_BYTES = 20_000;

/** Photos do not count, because each of them has its own limit. */
function bytesOf(form: Form, answers: Answers): number {
  const photos = new Set(form.questions.filter((q) => q.kind === "photo").map((q) => q.key));
  const counted = Object.entries(answers).filter(([key]) => !photos.has(key));
  return new TextEncoder().encode(databaseText(Object.fromEntries(counted))).length;
}

/** PostgreSQL writes a space after each comma and colon. */
function databaseText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(databaseText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, entry]) => `${JSON.stringify(key)}: ${databaseText(entry)}`,
  );
  return `{${fields.join(", ")}}`;
}
