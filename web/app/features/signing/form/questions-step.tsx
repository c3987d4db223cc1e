import { givenAnswer } from "../../../lib/waiver-form/answer-rules";
import type { Person } from "../../../lib/waiver-form/check-answers";
import type { Question } from "../../../lib/waiver-form/types";
import { answersOf, changeAnswer, questionsFor } from "./form-draft";
import { QuestionField } from "./question-field";
import type { StepProps } from "./step-props";

/** These answers are often the same for a whole family. */
const COPYABLE_KINDS: Question["kind"][] = ["address", "emergency_contact", "phone", "email"];

/** Asks one person everything that the form asks them. */
export function QuestionsStep({
  form,
  draft,
  formDraft,
  onFormDraft,
  problems,
  today,
  person,
}: StepProps & { person: Person }) {
  const answers = answersOf(formDraft, person);
  return (
    <>
      {questionsFor(form, formDraft, person, today).map((question) => {
        const { key, kind } = question;
        const answer = answers[key] ?? null;
        const signerAnswer = formDraft.answers[key] ?? null;
        const canCopy =
          person !== "signer" &&
          COPYABLE_KINDS.includes(kind) &&
          !givenAnswer(answer) &&
          givenAnswer(signerAnswer);
        return (
          <div key={key} className="form-question">
            <QuestionField
              question={question}
              answer={answer}
              onAnswer={(newAnswer) => onFormDraft(changeAnswer(formDraft, person, key, newAnswer))}
              problem={problems[`question-${key}`]}
              today={today}
              isSigner={person === "signer"}
            />
            {canCopy && (
              <button
                type="button"
                className="quiet"
                onClick={() => onFormDraft(changeAnswer(formDraft, person, key, signerAnswer))}
              >
                Same as for <bdi>{draft.name}</bdi>
              </button>
            )}
          </div>
        );
      })}
    </>
  );
}
