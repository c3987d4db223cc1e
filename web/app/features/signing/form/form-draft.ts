import { ageOn, isBirthDate, mostMinors, signsToo } from "../../../lib/waiver-form/ages";
import {
  checkAnswers,
  coversSigner,
  sharedAnswers,
  shownQuestions,
  type Person,
} from "../../../lib/waiver-form/check-answers";
import { initialsPlaces } from "../../../lib/waiver-form/check-form-columns";
import type { Answer, Answers, Form, FormColumns, Question } from "../../../lib/waiver-form/types";
import { NO_SIGNATURE, type SignatureInput } from "../signature-input";

export type MinorDraft = { name: string; birthDate: string; answers: Answers; signature: SignatureInput };

/** What the guest has entered so far. Answers to questions that are hidden now are kept, but not sent. */
export type FormDraft = {
  step: StepId;
  answers: Answers;
  minors: MinorDraft[];
  relationship: string;
  hasAuthority: boolean;
  initials: string[];
  /** Adults whom the guest has added. They sign with a link of their own. */
  invited?: InvitedAdult[];
  /** The id of the guest's session. It is set as soon as the guest invites an adult. */
  sessionId?: string;
};
export type InvitedAdult = { id: string; name: string };

export type StepId = "people" | "signer" | `minor-${number}` | "text" | "sign";

const NEW_MINOR: MinorDraft = { name: "", birthDate: "", answers: {}, signature: NO_SIGNATURE };

export function newFormDraft(form: Form): FormDraft {
  return {
    step: "people",
    answers: {},
    minors: coversSigner(form) ? [] : [NEW_MINOR],
    relationship: "",
    hasAuthority: false,
    initials: [],
  };
}

export function addMinor(draft: FormDraft): FormDraft {
  return { ...draft, minors: [...draft.minors, NEW_MINOR] };
}

export function changeMinor(draft: FormDraft, position: number, changes: Partial<MinorDraft>): FormDraft {
  const minors = draft.minors.map((minor, index) => (index === position ? { ...minor, ...changes } : minor));
  return { ...draft, minors };
}

export function removeMinor(draft: FormDraft, position: number): FormDraft {
  return { ...draft, minors: draft.minors.filter((_, index) => index !== position) };
}

/** Moves an adult from the children to those who sign with a link of their own. */
export function moveToInvited(draft: FormDraft, adult: MinorDraft, invitedAdult: InvitedAdult): FormDraft {
  const position = draft.minors.findIndex(
    ({ name, birthDate }) => name === adult.name && birthDate === adult.birthDate,
  );
  return { ...removeMinor(draft, position), invited: [...(draft.invited ?? []), invitedAdult] };
}

export function answersOf(draft: FormDraft, person: Person): Answers {
  return (person === "signer" ? draft.answers : draft.minors[person]?.answers) ?? {};
}

export function changeAnswer(draft: FormDraft, person: Person, key: string, answer: Answer): FormDraft {
  const answers = { ...answersOf(draft, person), [key]: answer };
  return person === "signer" ? { ...draft, answers } : changeMinor(draft, person, { answers });
}

/** Returns the steps in their order. A person to whom no question is shown has no step. */
export function stepsOf(form: Form, draft: FormDraft, today: string): StepId[] {
  const minors = mostMinors(form) ? draft.minors : [];
  const hasQuestions = (person: Person) => questionsFor(form, draft, person, today).length > 0;
  return [
    "people",
    ...(hasQuestions("signer") ? (["signer"] as const) : []),
    ...minors.flatMap((_, index) => (hasQuestions(index) ? [`minor-${index}` as const] : [])),
    "text",
    "sign",
  ];
}

export function questionsFor(form: Form, draft: FormDraft, person: Person, today: string): Question[] {
  const shared = person === "signer" ? {} : sharedWithMinors(form, draft, today);
  return shownQuestions(form, person, toAnswers(form, answersOf(draft, person)), shared, today);
}

function sharedWithMinors(form: Form, draft: FormDraft, today: string): Answers {
  const given = toAnswers(form, draft.answers);
  return sharedAnswers(form, checkAnswers(form, given, "signer", {}, today).answers);
}

/** Turns what the fields contain into answers: a number is typed as a text, and an address may have empty fields. */
function toAnswers(form: Form, entered: Answers): Answers {
  return Object.fromEntries(
    form.questions.map((question) => [question.key, toAnswer(question, entered[question.key] ?? null)]),
  );
}

function toAnswer({ kind }: Question, entered: Answer): Answer {
  if (kind === "number" && typeof entered === "string") return toNumber(entered);
  if (kind === "agreement") return entered === true ? true : null;
  if (typeof entered !== "object" || entered === null || Array.isArray(entered)) return entered;
  return Object.fromEntries(Object.entries(entered).filter(([, text]) => text.trim()));
}

/** Accepts a decimal comma too, because some keyboards have no point. */
function toNumber(text: string): number | string {
  const number = text.trim().replace(",", ".");
  return number !== "" && Number.isFinite(Number(number)) ? Number(number) : text;
}

/**
 * Returns what is sent with the signature. `toPicture` renders the signature of a minor who signs too, or returns null
 * if there is none yet.
 */
export function toFormColumns(
  form: Form,
  content: string,
  draft: FormDraft,
  today: string,
  toPicture: (signature: SignatureInput) => string | null,
): FormColumns {
  const minors = mostMinors(form) ? draft.minors : [];
  const answers = (person: Person) => {
    const given = toAnswers(form, answersOf(draft, person));
    const shown = questionsFor(form, draft, person, today).map(({ key }) => key);
    return Object.fromEntries(
      Object.entries(given).filter(([key, one]) => one !== null && shown.includes(key)),
    );
  };
  return {
    answers: answers("signer"),
    participants: minors.map(({ name, birthDate, signature }, index) => ({
      name: name.trim(),
      birth_date: birthDate,
      kind: "minor",
      answers: answers(index),
      ...(mustSign(form, birthDate, today) && { signature: toPicture(signature) }),
    })),
    guardian:
      minors.length > 0
        ? { relationship: draft.relationship.trim(), has_authority: draft.hasAuthority }
        : null,
    initials: draft.initials.slice(0, initialsPlaces(content)),
  };
}

export function mustSign(form: Form, birthDate: string, today: string): boolean {
  return isBirthDate(birthDate, today) && signsToo(form, ageOn(today, birthDate));
}
