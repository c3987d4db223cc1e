/**
 * A form is what a waiver asks, and whom one signature covers. cairn/waivers/form.schema.json describes it, and the
 * database refuses every other form, so the code here relies on these types.
 */
export type Form = { covers?: Covers; questions: Question[] };

export type Covers = {
  /** Whether the signer takes part. They do unless this is false. */
  signer?: boolean;
  minors?: { most?: number | null; own_signature_from_age?: number | null } | null;
  age_of_majority?: number | null;
  minimum_age?: number | null;
  maximum_age?: number | null;
};

export type QuestionKind =
  | "short_text"
  | "long_text"
  | "email"
  | "phone"
  | "date"
  | "birth_date"
  | "number"
  | "yes_no"
  | "one_of"
  | "several_of"
  | "agreement"
  | "initials"
  | "address"
  | "emergency_contact"
  | "photo"
  | "heading"
  | "paragraph";

export type Audience = "signer" | "participant" | "minor" | "adult";
export type Option = { value: string; label: string };
/** A single value with which an answer can be compared. */
export type Value = string | number | boolean;

export type Condition = {
  /** The key of an earlier question. */
  question: string;
  is?: Value;
  is_not?: Value;
  is_one_of?: Value[];
  is_filled?: true;
};

export type FlagRule = {
  when: "yes" | "no" | "filled" | { one_of: Value[] } | { age_below: number };
  /** What staff see if the answer is flagged. */
  text: string;
};

export type Question = {
  key: string;
  kind: QuestionKind;
  label: string;
  help?: string;
  /** Questions without this field are asked of the signer. */
  asked_of?: Audience;
  required?: boolean;
  sensitive?: boolean;
  options?: Option[];
  min?: number;
  max?: number;
  show_if?: Condition;
  flag?: FlagRule;
};

/** An address (street, city, region, postal_code, country) or an emergency contact (name, phone, relationship). */
export type Fields = Record<string, string>;
/** `null` and empty texts count as no answer. */
export type Answer = Value | string[] | Fields | null;
/** The answers of one person, by the keys of the questions. */
export type Answers = Record<string, Answer>;

export type Minor = {
  name: string;
  /** Written as 2017-05-01. */
  birth_date: string;
  kind: "minor";
  answers: Answers;
  /** A PNG as a data URL, if the minor is old enough to sign too. */
  signature?: string | null;
};
export type Guardian = { relationship: string; has_authority: boolean };

/** The columns of a signing request that only a waiver with a form takes. */
export type FormColumns = {
  answers: Answers;
  participants: Minor[];
  guardian: Guardian | null;
  /** The initials for each [INITIALS] in the text: typed, or a PNG as a data URL. */
  initials: string[];
};

export type RefusalCode =
  | "answers_invalid"
  | "answer_required"
  | "answer_invalid"
  | "answer_not_asked"
  | "question_unknown"
  | "answers_too_long"
  | "signer_is_minor"
  | "participants_not_covered"
  | "participant_required"
  | "too_many_participants"
  | "participant_name_required"
  | "participant_birth_date_required"
  | "participant_is_adult"
  | "participant_too_young"
  | "participant_too_old"
  | "participant_signature_required"
  | "participant_signature_not_asked"
  | "guardian_required"
  | "guardian_not_asked"
  | "initials_required"
  | "initials_not_asked";

/** Why a signing request does not fit the form. The database refuses it with the same code and the same details. */
export type Refusal = {
  code: RefusalCode;
  question?: string;
  /** The position of the minor in `participants`. It is absent for the signer. */
  participant?: number;
  /** The age that a participant must have at least or may have at most. */
  age?: number;
  /** How many minors one signature covers at most. */
  most?: number;
  /** How many places for initials the text has. */
  places?: number;
  /** The position of a place without initials. */
  place?: number;
};
