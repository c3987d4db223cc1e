import { ageOfMajority, ageOn, isBirthDate, mostMinors, signsToo } from "./ages";
import { cleanInitials, cleanString } from "./answer-rules";
import { checkAnswers, coversSigner, sharedAnswers, type CheckedAnswers } from "./check-answers";
import type { Answers, Form, FormColumns, Guardian, Minor, Refusal } from "./types";

const MAX_NAME_LENGTH = 400;
const MAX_RELATIONSHIP_LENGTH = 100;

/**
 * Returns every reason why these columns do not fit the form, in the order in which the database checks them. The
 * database refuses the request with the first one. `content` is the text of the waiver.
 */
export function checkFormColumns(
  form: Form,
  content: string,
  columns: FormColumns,
  today: string,
): Refusal[] {
  const signer = checkAnswers(form, columns.answers, "signer", {}, today);
  const shared = sharedAnswers(form, signer.answers);
  return [
    ...signer.refusals,
    ...checkSignerAge(form, signer, today),
    ...checkMinorCount(form, columns.participants.length),
    ...columns.participants.flatMap((minor, position) => [
      ...checkMinor(form, minor, position, today),
      ...checkAnswers(form, minor.answers, position, shared, today).refusals,
    ]),
    ...checkGuardian(columns.guardian, columns.participants.length > 0),
    ...checkInitials(content, columns.initials),
  ];
}

function checkSignerAge(form: Form, { answers }: CheckedAnswers, today: string): Refusal[] {
  const birthDate = birthDateIn(form, answers);
  if (birthDate === null) return [];
  const age = ageOn(today, birthDate);
  if (age < ageOfMajority(form)) return [{ code: "signer_is_minor" }];
  return coversSigner(form) ? checkAge(form, age, {}) : [];
}

/** Returns the birth date that the signer has entered, or null if the form does not ask for one. */
function birthDateIn(form: Form, answers: Answers): string | null {
  const dates = form.questions.filter(({ kind }) => kind === "birth_date").map(({ key }) => answers[key]);
  return dates.find((date) => typeof date === "string") ?? null;
}

export function checkMinorCount(form: Form, count: number): Refusal[] {
  const most = mostMinors(form);
  if (count > 0 && most === 0) return [{ code: "participants_not_covered" }];
  if (count > most) return [{ code: "too_many_participants", most }];
  return count === 0 && !coversSigner(form) ? [{ code: "participant_required" }] : [];
}

/** Checks who a minor is, but not their answers. */
function checkMinor(form: Form, minor: Minor, participant: number, today: string): Refusal[] {
  if (cleanString(minor.name, MAX_NAME_LENGTH) === null)
    return [{ code: "participant_name_required", participant }];
  if (!isBirthDate(minor.birth_date, today))
    return [{ code: "participant_birth_date_required", participant }];
  const age = ageOn(today, minor.birth_date);
  // An adult never signs for another adult.
  if (age >= ageOfMajority(form) || minor.kind !== "minor")
    return [{ code: "participant_is_adult", participant }];
  return [...checkAge(form, age, { participant }), ...checkOwnSignature(form, minor, age, participant)];
}

function checkAge(form: Form, age: number, about: { participant?: number }): Refusal[] {
  const { minimum_age, maximum_age } = form.covers ?? {};
  if (typeof minimum_age === "number" && age < minimum_age)
    return [{ code: "participant_too_young", ...about, age: minimum_age }];
  if (typeof maximum_age === "number" && age > maximum_age)
    return [{ code: "participant_too_old", ...about, age: maximum_age }];
  return [];
}

/** From the age that the form states, a minor must sign too. The signature of a younger minor is refused. */
function checkOwnSignature(form: Form, { signature }: Minor, age: number, participant: number): Refusal[] {
  const mustSign = signsToo(form, age);
  const hasSigned = signature !== null && signature !== undefined;
  if (mustSign === hasSigned) return [];
  const code = mustSign ? "participant_signature_required" : "participant_signature_not_asked";
  return [{ code, participant }];
}

export function checkGuardian(guardian: Guardian | null, hasMinors: boolean): Refusal[] {
  if (!hasMinors) return guardian ? [{ code: "guardian_not_asked" }] : [];
  const relationship = cleanString(guardian?.relationship, MAX_RELATIONSHIP_LENGTH);
  return relationship !== null && guardian?.has_authority === true ? [] : [{ code: "guardian_required" }];
}

export const INITIALS_PLACE = "[INITIALS]";

export function initialsPlaces(content: string): number {
  return content.split(INITIALS_PLACE).length - 1;
}

/** Each [INITIALS] in the text is initialed separately. */
export function checkInitials(content: string, initials: string[]): Refusal[] {
  const places = initialsPlaces(content);
  if (initials.length > places) return [{ code: "initials_not_asked", places }];
  return Array.from({ length: places }, (_, place) => place)
    .filter((place) => cleanInitials(initials[place]) === null)
    .map((place) => ({ code: "initials_required", place }));
}
