import { useState, type KeyboardEvent } from "react";
import "~/features/signing/form/form-steps.css";
import { QuestionField } from "~/features/signing/form/question-field";
import "~/features/signing/signing-form.css";
import { ViewSwitch } from "~/features/templates/components/view-switch";
import { dayOf, mostMinors } from "~/lib/waiver-form/ages";
import { sharedAnswers, shownQuestions } from "~/lib/waiver-form/check-answers";
import type { Answers, Form } from "~/lib/waiver-form/types";

type PersonView = "signer" | "child";
const PERSON_VIEWS: { view: PersonView; label: string }[] = [
  { view: "signer", label: "The signer" },
  { view: "child", label: "A child" },
];

/** Shows the questions with the fields of the signing page. Answers are only tried out, and nothing is stored. */
export function QuestionsPreview({ form }: { form: Form }) {
  const [today] = useState(() => dayOf(new Date()));
  const [chosenView, setView] = useState<PersonView>("signer");
  const [answers, setAnswers] = useState<Record<PersonView, Answers>>({ signer: {}, child: {} });
  const coversMinors = mostMinors(form) > 0;
  const view = coversMinors ? chosenView : "signer";
  const isSigner = view === "signer";
  const shared = isSigner ? {} : sharedAnswers(form, answers.signer);
  const questions = shownQuestions(form, isSigner ? "signer" : 0, answers[view], shared, today);
  return (
    <section aria-label="Preview of the questions" className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-0">
      <h3 className="font-semibold">As your guest will see it</h3>
      {coversMinors && (
        <ViewSwitch label="Who answers" options={PERSON_VIEWS} view={view} onChange={setView} />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter in these fields must not save the template */}
      <div
        role="group"
        aria-label="Questions as your guest will see them"
        onKeyDown={preventSubmit}
        className="signing form-step max-h-[60dvh] overflow-y-auto rounded-control border border-line bg-ground p-5"
      >
        {questions.map((question) => (
          <div key={question.key} className="form-question">
            <QuestionField
              question={question}
              answer={answers[view][question.key] ?? null}
              onAnswer={(answer) =>
                setAnswers({ ...answers, [view]: { ...answers[view], [question.key]: answer } })
              }
              problem={undefined}
              today={today}
              isSigner={false}
            />
          </div>
        ))}
        {questions.length === 0 && <p className="text-muted">No questions.</p>}
      </div>
    </section>
  );
}

function preventSubmit(event: KeyboardEvent): void {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
}
