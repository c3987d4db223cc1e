import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { dayOf } from "../../../lib/waiver-form/ages";
import type { Person } from "../../../lib/waiver-form/check-answers";
import type { Form, Refusal } from "../../../lib/waiver-form/types";
import { isSignature, toSignatureRecord } from "../signature-input";
import { PAD_SIZE, type Draft, type SigningProps, type SubmittedSignature } from "../signing-form";
import "../signing-form.css";
import { renderPng } from "../surface";
import type { InvitationsProps } from "./adult-invitations";
import { newFormDraft, stepsOf, toFormColumns, type FormDraft, type StepId } from "./form-draft";
import { findProblems, toProblem, type Problem } from "./form-problems";
import "./form-steps.css";
import { InitialsField } from "./initials-field";
import { PeopleStep } from "./people-step";
import { QuestionsStep } from "./questions-step";
import { SignStep } from "./sign-step";

type Props = SigningProps & {
  form: Form;
  content: string;
  /** The server refused the last attempt because of this question or person. */
  refusal: Refusal | null;
  /** Shows the text of the waiver, with a field at each place for initials. */
  renderText: (initials: (place: number) => ReactNode) => ReactNode;
  /** Shows the links with which adults sign for themselves. */
  renderInvitations?: (props: InvitationsProps) => ReactNode;
};

/** Leads through a waiver with a form: who takes part, questions to each of them, the text, and the signature. */
export function FormSteps(props: Props) {
  const { form, content, draft, onDraft, onSign, isLocked, refusal, consent } = props;
  const [today] = useState(() => dayOf(new Date()));
  const element = useRef<HTMLFormElement>(null);
  const formDraft = draft.form ?? newFormDraft(form);
  const steps = stepsOf(form, formDraft, today);
  const index = Math.max(0, steps.indexOf(formDraft.step));
  const step = steps[index] ?? "people";
  // Mistakes are shown after the first attempt to continue. Each attempt moves the focus to the first mistake.
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<Problem | null>(null);
  const problems = findProblems(form, content, draft, formDraft, consent !== null, today);
  // The page says at once that adults sign for themselves.
  const adultProblems = problems.filter(({ code }) => code === "participant_is_adult");
  const shown = [...(attempt > 0 ? problems : adultProblems), ...(refused ? [refused] : [])].filter(
    (problem) => problem.step === step,
  );
  const texts = Object.fromEntries(shown.toReversed().map(({ field, text }) => [field, text]));

  const change = (newDraft: Draft) => {
    setRefused(null);
    onDraft(newDraft);
  };
  const changeForm = (newForm: FormDraft) => change({ ...draft, form: newForm });
  const goTo = (newStep: StepId, newAttempt = 0) => {
    setAttempt(newAttempt);
    onDraft({ ...draft, form: { ...formDraft, step: newStep } });
  };
  useFocusOnStep(element, step);
  useEffect(() => {
    if (attempt > 0) focusFirstProblem(element.current);
  }, [attempt, step, refused]);
  useEffect(() => {
    if (!refusal) return;
    const problem = toProblem(form, refusal, formDraft);
    setRefused(problem);
    goTo(problem.step, 1);
    // The refusal is handled once, when it arrives.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [refusal]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isLocked) return;
    setRefused(null);
    const isLast = step === "sign";
    const firstProblem = isLast ? problems[0] : problems.find((problem) => problem.step === step);
    const next = steps[index + 1];
    if (firstProblem) goTo(firstProblem.step, attempt + 1);
    else if (next) goTo(next);
    else onSign(signed());
  };
  const signed = (): SubmittedSignature => ({
    name: draft.name.trim(),
    email: draft.email.trim(),
    picture: renderPng(draft.signature, PAD_SIZE),
    strokes: toSignatureRecord(draft.signature),
    consentedAt: draft.consentedAt,
    sessionId: formDraft.sessionId,
    formColumns: toFormColumns(form, content, formDraft, today, (signature) =>
      isSignature(signature) ? renderPng(signature, PAD_SIZE) : null,
    ),
  });
  const stepProps = {
    form,
    draft,
    onDraft: change,
    formDraft,
    onFormDraft: changeForm,
    problems: texts,
    today,
  };

  return (
    <form className="signing form-steps" ref={element} onSubmit={submit} noValidate>
      <section className="form-step" aria-label={titleOf(step, draft)}>
        <p className="form-count">
          Step {index + 1} of {steps.length}
        </p>
        <h2 tabIndex={-1} dir="auto">
          {titleOf(step, draft)}
        </h2>
        {step === "people" && (
          <PeopleStep
            {...stepProps}
            invitations={(adultProblems[0] ?? formDraft.invited) && props.renderInvitations?.(stepProps)}
          />
        )}
        {(step === "signer" || step.startsWith("minor-")) && (
          <QuestionsStep {...stepProps} person={personOf(step)} />
        )}
        {step === "text" &&
          props.renderText((place) => (
            <InitialsField
              place={place}
              initials={formDraft.initials}
              onInitials={(initials) => changeForm({ ...formDraft, initials })}
              problem={texts[`initials-${place}`]}
            />
          ))}
        {step === "sign" && (
          <SignStep
            {...stepProps}
            columns={toFormColumns(form, content, formDraft, today, () => null)}
            consent={consent}
            isLocked={isLocked}
            onStep={goTo}
          />
        )}
      </section>
      <div className="signing-bar">
        <progress className="signing-progress" aria-label="Steps done" max={steps.length} value={index} />
        <p className="signing-problem" role="alert">
          {shown.length > 0 && attempt > 0 ? "Please check the marked fields." : props.problem}
        </p>
        {props.aside}
        {step === "sign" && (
          <p className="signing-consent">
            By choosing Sign Waiver you agree to the text and sign it electronically.
          </p>
        )}
        <div className="form-buttons">
          {index > 0 && (
            <button
              type="button"
              className="secondary"
              disabled={isLocked}
              onClick={() => goTo(steps[index - 1] ?? "people")}
            >
              Back
            </button>
          )}
          <button type="submit" className="primary" aria-disabled={isLocked}>
            {step !== "sign" ? "Continue" : isLocked ? "Signing..." : "Sign Waiver"}
          </button>
        </div>
      </div>
    </form>
  );
}

/** A new step starts at its top, and screen readers read its title. */
function useFocusOnStep(element: { current: HTMLElement | null }, step: StepId) {
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    element.current?.querySelector("h2")?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "start" });
  }, [element, step]);
}

function focusFirstProblem(form: HTMLElement | null) {
  const field = form?.querySelector(".field-problem")?.closest("[data-field]");
  const input =
    field?.querySelector<HTMLElement>("[aria-invalid=true], input:checked") ??
    field?.querySelector<HTMLElement>("input, textarea, button");
  input?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "center" });
}

function personOf(step: StepId): Person {
  return step === "signer" ? "signer" : Number(step.replace("minor-", ""));
}

function titleOf(step: StepId, { name, form }: Draft): string {
  if (step === "people") return "Who takes part?";
  if (step === "text") return "Please read";
  if (step === "sign") return "Check and sign";
  const person = personOf(step);
  return person === "signer"
    ? "Questions for you"
    : `Questions about ${form?.minors[person]?.name.trim() || name}`;
}
