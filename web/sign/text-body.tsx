import { SigningForm } from "../app/features/signing/signing-form";
import { WaiverText } from "../app/features/signing/waiver-text";
import { PhoneHandover } from "./phone-handover";
import { ReturnedForm } from "./returned-form";
import type { BodyProps } from "./signing-page";

/** Shows a waiver without a form: its text, followed by name, email and signature. */
export function TextBody({
  state,
  onDraft,
  onSign,
  isLocked,
  aside,
  notice,
  textElement,
  callFunction,
}: BodyProps) {
  const { waiver, draft } = state;
  if (waiver.form) return <FormAdded />;
  return (
    <SigningForm
      {...{ draft, onDraft, onSign, isLocked, aside }}
      problem={state.problem}
      consent={waiver.consent?.text ?? null}
    >
      {notice}
      <section className="sheet" ref={textElement} aria-label="Waiver text">
        <WaiverText content={waiver.content} names={{ participant: draft.name, company: waiver.company }} />
        {waiver.sessionId && <p className="session">Session {waiver.sessionId.slice(0, 8)}</p>}
      </section>
      <PhoneHandover />
      {waiver.sessionId && (
        <ReturnedForm
          callFunction={callFunction}
          sessionId={waiver.sessionId}
          isLocked={isLocked}
          onFields={({ name, email }) =>
            onDraft({ ...draft, name: name || draft.name, email: email || draft.email })
          }
        />
      )}
    </SigningForm>
  );
}

/** Shown if the company has added a form since the page was opened. A reload gets the page for a waiver with a form. */
function FormAdded() {
  return (
    <section className="notice" role="alert">
      <h2>This waiver now has questions</h2>
      <button type="button" onClick={() => location.reload()}>
        Show them
      </button>
    </section>
  );
}
