import type { Audience, Question, QuestionKind } from "~/lib/waiver-form/types";

/** The names of the kinds of question, in the order in which they are offered. */
export const KIND_NAMES: Record<QuestionKind, string> = {
  yes_no: "Yes or no",
  short_text: "Short answer",
  long_text: "Long answer",
  one_of: "Choose one",
  several_of: "Choose several",
  agreement: "Checkbox to agree",
  number: "Number",
  date: "Date",
  birth_date: "Birth date",
  email: "Email address",
  phone: "Phone number",
  address: "Postal address",
  emergency_contact: "Emergency contact",
  initials: "Initials",
  photo: "Photo",
  heading: "Heading",
  paragraph: "Paragraph of text",
};

const isKind = (value: string): value is QuestionKind => value in KIND_NAMES;

export const KIND_CHOICES = Object.keys(KIND_NAMES)
  .filter(isKind)
  .map((kind) => ({ value: kind, label: KIND_NAMES[kind] }));

export const AUDIENCE_NAMES: Record<Audience, string> = {
  signer: "The signer",
  participant: "Everyone who takes part",
  minor: "Minors",
  adult: "Adults who take part",
};

export const AUDIENCE_CHOICES = (["signer", "participant", "minor", "adult"] as const).map((value) => ({
  value,
  label: AUDIENCE_NAMES[value],
}));

export const hasOptions = ({ kind }: Pick<Question, "kind">): boolean =>
  kind === "one_of" || kind === "several_of";

export const maxLabelLength = ({ kind }: Pick<Question, "kind">): number =>
  kind === "paragraph" ? 4000 : 500;

export const audienceOf = (question: Question): Audience => question.asked_of ?? "signer";
