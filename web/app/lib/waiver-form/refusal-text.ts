import { ageOfMajority } from "./ages";
import type { Form, Question, Refusal } from "./types";

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
      return `At ${ageOfMajority(form)} and older, they sign for themselves. Please remove them here, and ask the company to send them a link of their own.`;
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

function missingText(question: Question | undefined): string {
  switch (question?.kind) {
    case "yes_no":
      return "Please choose Yes or No.";
    case "one_of":
      return "Please choose one of these.";
    case "several_of":
      return "Please choose at least one of these.";
    case "agreement":
      return "Please tick this box.";
    case "photo":
      return "Please add a photo.";
    case "initials":
      return "Please enter your initials.";
    case "address":
    case "emergency_contact":
      return invalidText(question);
    default:
      return "Please answer this question.";
  }
}

function invalidText(question: Question | undefined): string {
  switch (question?.kind) {
    case "short_text":
      return "Please use at most 500 characters.";
    case "long_text":
      return "Please use at most 4,000 characters.";
    case "email":
      return "This email address is not complete.";
    case "phone":
      return "Please enter a phone number, such as +1 555 0100.";
    case "date":
      return "Please enter a date.";
    case "birth_date":
      return "Please enter a birth date.";
    case "number":
      return numberText(question);
    case "initials":
      return "Please use at most 10 characters.";
    case "address":
      return "Please enter the street and the city.";
    case "emergency_contact":
      return "Please enter a name and a phone number, such as +1 555 0100.";
    case "photo":
      return "This photo could not be used. Please take another one.";
    default:
      return "Please choose again.";
  }
}

function numberText({ min, max }: Question): string {
  if (min !== undefined && max !== undefined) return `Please enter a number from ${min} to ${max}.`;
  if (min !== undefined) return `Please enter a number of at least ${min}.`;
  return max === undefined ? "Please enter a number." : `Please enter a number of at most ${max}.`;
}
