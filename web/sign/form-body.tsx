import { useMemo } from "react";
import { FormSteps } from "../app/features/signing/form/form-steps";
import { WaiverText } from "../app/features/signing/waiver-text";
import { toRefusal } from "../app/lib/waiver-form/parse";
import type { Form } from "../app/lib/waiver-form/types";
import { Invitations } from "./invitations";
import { PhoneHandover } from "./phone-handover";
import type { BodyProps } from "./signing-page";

const NO_QUESTIONS: Form = { questions: [] };

/** Shows a waiver with a form, step by step. */
export function FormBody({ state, onDraft, onSign, isLocked, aside, notice, textElement }: BodyProps) {
  const { waiver, draft } = state;
  const refusal = useMemo(() => toRefusal(state.refusal?.code, state.refusal?.details), [state.refusal]);
  return (
    <>
      {notice}
      <FormSteps
        form={waiver.form ?? NO_QUESTIONS}
        content={waiver.content}
        draft={draft}
        onDraft={onDraft}
        onSign={onSign}
        isLocked={isLocked}
        problem={refusal ? "" : state.problem}
        refusal={refusal}
        consent={waiver.consent?.text ?? null}
        aside={aside}
        renderInvitations={(props) => <Invitations {...props} waiver={waiver} />}
        renderText={(initials) => (
          <section className="sheet" ref={textElement} aria-label="Waiver text">
            <WaiverText
              content={waiver.content}
              names={{ participant: draft.name, company: waiver.company }}
              headingLevel={3}
              initials={initials}
            />
            {waiver.sessionId && <p className="session">Session {waiver.sessionId.slice(0, 8)}</p>}
          </section>
        )}
      />
      <PhoneHandover />
    </>
  );
}
