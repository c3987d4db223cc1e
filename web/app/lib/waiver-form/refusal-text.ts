import { ageOfMajority } from "./ages";
import type { Form, Question, QuestionKind, Refusal } from "./types";

/** Says in plain words what to change. It is shown beside the field. */
export function refusalText(form: Form, refusal: Refusal): string {
  const question = form.questions.find(({ key }) => key === refusal.question);
  switch (refusal.code) {
    case "answer_required":
      return missingText(question);
    case "answer_invalid":
      return invalidText(question);
    case "answers_too_long":
      return "These answers are too long together. Please shorten them.";
    case "signer_is_minor":
      return `Only someone who is at least ${ageOfMajority(form)} can sign. Please ask a parent or guardian to sign for you.`;
    case "participant_required":
      return "Please add the child for whom you sign.";
    case "too_many_participants":
      return `One signature covers at most ${refusal.most} children. Please sign again for the others.`;
    case "participants_not_covered":
      return "This waiver covers only the person who signs. Everyone else signs one of their own.";
    case "participant_name_required":
      return "Please enter the child's name, with at most 400 characters.";
    case "participant_birth_date_required":
      return "Please enter the child's birth date.";
    case "participant_is_adult":
      return `At ${ageOfMajority(form)} and older, they sign for themselves.`;
    case "participant_too_young":
      return `Participants must be at least ${refusal.age} years old on the day of the activity.`;
    case "participant_too_old":
      return `Participants may be at most ${refusal.age} years old on the day of the activity.`;
    case "participant_signature_required":
      return "At this age, the child signs too.";
    case "guardian_required":
      return "Please say how you are related to the children, and confirm that you may sign for them.";
    case "initials_required":
      return "Please put your initials here.";
    default:
      return "This part of the form has changed. Please load the page again.";
  }
}

type Texts = { [kind in QuestionKind]?: string | undefined };

const MISSING_TEXTS: Texts = {
  yes_no: "Please choose Yes or No.",
  one_of: "Please choose one of these.",
  several_of: "Please choose at least one of these.",
  agreement: "Please tick this box.",
  photo: "Please add a photo.",
  initials: "Please enter your initials.",
  address: "Please enter the street and the city.",
  emergency_contact: "Please enter a name and a phone number, such as +1 555 0100.",
};
const INVALID_TEXTS: Texts = {
  short_text: "Please use at most 500 characters.",
  long_text: "Please use at most 4,000 characters.",
  email: "This email address is not complete.",
  phone: "Please enter a phone number, such as +1 555 0100.",
  date: "Please enter a date.",
  birth_date: "Please enter a birth date.",
  initials: "Please use at most 10 characters.",
  address: MISSING_TEXTS.address,
  emergency_contact: MISSING_TEXTS.emergency_contact,
  photo: "This photo could not be used. Please take another one.",
};

const missingText = (question: Question | undefined) =>
  (question && MISSING_TEXTS[question.kind]) ?? "Please answer this question.";

function invalidText(question: Question | undefined): string {
  if (question?.kind === "number") return numberText(question);
  return (question && INVALID_TEXTS[question.kind]) ?? "Please choose again.";
}

function numberText({ min, max }: Question): string {
  if (min !== undefined && max !== undefined) return `Please enter a number from ${min} to ${max}.`;
  if (min !== undefined) return `Please enter a number of at least ${min}.`;
  return max === undefined ? "Please enter a number." : `Please enter a number of at most ${max}.`;
}
