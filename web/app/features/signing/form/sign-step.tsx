import { ageOn } from "../../../lib/waiver-form/ages";
import { coversSigner } from "../../../lib/waiver-form/check-answers";
import type { Answers, FormColumns } from "../../../lib/waiver-form/types";
import { ConsentBox } from "../consent-box";
import { SignaturePad } from "../signature-pad";
import { PAD_SIZE } from "../signing-form";
import { answerText } from "../../../lib/waiver-form/answer-text";
import { changeMinor, mustSign, type StepId } from "./form-draft";
import type { StepProps } from "./step-props";

type Props = StepProps & {
  columns: FormColumns;
  consent: string | null;
  isLocked: boolean;
  onStep: (step: StepId) => void;
};

/** Shows everything that was entered, and takes the signatures. */
export function SignStep({ columns, consent, isLocked, onStep, ...props }: Props) {
  const { form, draft, onDraft, formDraft, onFormDraft, problems, today } = props;
  const summary = { form, onStep, isLocked };
  return (
    <>
      <section className="summary" aria-label="What you entered">
        <PersonSummary
          {...summary}
          name={draft.name}
          note={coversSigner(form) ? "signs and takes part" : "signs, does not take part"}
          answers={columns.answers}
          step="signer"
        />
        {columns.participants.map((minor, position) => (
          <PersonSummary
            key={position}
            {...summary}
            name={minor.name}
            note={`${ageOn(today, minor.birth_date)} years old`}
            answers={minor.answers}
            step={`minor-${position}`}
          />
        ))}
        <button type="button" className="quiet" disabled={isLocked} onClick={() => onStep("people")}>
          Change who takes part
        </button>
      </section>
      <fieldset className="form-fields" disabled={isLocked}>
        {formDraft.minors.map(
          (minor, position) =>
            mustSign(form, minor.birthDate, today) && (
              <div key={position} className="form-field" data-field={`minor-${position}-signature`}>
                <SignaturePad
                  {...PAD_SIZE}
                  legend={`Signature of ${minor.name.trim()}`}
                  signature={minor.signature}
                  problemId={problems[`minor-${position}-signature`] && `minor-${position}-problem`}
                  onSignature={(signature) => onFormDraft(changeMinor(formDraft, position, { signature }))}
                />
                <ProblemText
                  id={`minor-${position}-problem`}
                  text={problems[`minor-${position}-signature`]}
                />
              </div>
            ),
        )}
        <div className="form-field" data-field="signature">
          <SignaturePad
            {...PAD_SIZE}
            legend={`Signature of ${draft.name.trim()}`}
            signature={draft.signature}
            problemId={problems.signature && "signature-problem"}
            onSignature={(signature) => onDraft({ ...draft, signature })}
          />
          <ProblemText id="signature-problem" text={problems.signature} />
        </div>
        {consent !== null && (
          <div className="form-field" data-field="consent">
            <ConsentBox
              text={consent}
              consentedAt={draft.consentedAt}
              problemId={problems.consent && "consent-problem"}
              onConsent={(consentedAt) => onDraft({ ...draft, consentedAt })}
            />
            <ProblemText id="consent-problem" text={problems.consent} />
          </div>
        )}
      </fieldset>
    </>
  );
}

function ProblemText({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p className="field-problem" id={id}>
      {text}
    </p>
  ) : null;
}

type PersonProps = Pick<Props, "form" | "onStep" | "isLocked"> & {
  name: string;
  note: string;
  answers: Answers;
  step: StepId;
};

function PersonSummary({ form, name, note, answers, step, onStep, isLocked }: PersonProps) {
  const answered = form.questions.filter(({ key }) => key in answers);
  return (
    <div className="summary-person">
      <h3>
        <bdi>{name}</bdi> <small>{note}</small>
      </h3>
      {answered.length > 0 && (
        <>
          <dl>
            {answered.map((question) => (
              <div key={question.key}>
                <dt dir="auto">{question.label}</dt>
                <dd dir="auto">{answerText(question, answers[question.key] ?? null)}</dd>
              </div>
            ))}
          </dl>
          <button type="button" className="quiet" disabled={isLocked} onClick={() => onStep(step)}>
            Change <span className="hidden-text">the answers for {name}</span>
          </button>
        </>
      )}
    </div>
  );
}
