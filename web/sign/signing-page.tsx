import { useState } from "react";
import { SigningForm } from "../app/features/signing/signing-form";
import { WaiverText } from "../app/features/signing/waiver-text";
import { isPast } from "../app/lib/signing";
import type { CallFunction } from "./functions";
import { Message } from "./message";
import { PhoneHandover } from "./phone-handover";
import { useViewEvidence } from "./view-evidence";
import { Receipt } from "./receipt";
import type { RestRequest } from "./rest";
import { ReturnedForm } from "./returned-form";
import { useSigning } from "./use-signing";
import type { Waiver } from "./waiver";
import { WaiverHeader } from "./waiver-header";

type Props = { request: RestRequest; callFunction: CallFunction; waiver: Waiver; leave: () => void };

export function SigningPage({ request, callFunction, waiver: initialWaiver, leave }: Props) {
  const { state, edit, sign, retry } = useSigning(request, initialWaiver);
  const { waiver, draft, phase, submission } = state;
  const { textElement, evidence } = useViewEvidence(request, initialWaiver.sessionId);
  const [wasExpired] = useState(() => isPast(initialWaiver.expiresAt, new Date()));

  if (phase === "signed" && submission)
    return <Receipt request={request} callFunction={callFunction} waiver={submission.waiver} leave={leave} />;
  if (phase === "closed" || wasExpired || waiver.isCancelled) return <Closed waiver={waiver} />;
  return (
    <main>
      <WaiverHeader waiver={waiver} />
      <SigningForm
        draft={draft}
        onDraft={edit}
        onSign={(signature) => sign(signature, evidence())}
        isLocked={phase !== "filling"}
        problem={state.problem}
        consent={waiver.consent?.text ?? null}
        aside={state.failureCount > 0 && <UnsentNotice onRetry={retry} />}
      >
        {waiver.isSigned && <AlreadySigned />}
        <section className="sheet" ref={textElement} aria-label="Waiver text">
          <WaiverText content={waiver.content} names={{ participant: draft.name, company: waiver.company }} />
          {waiver.sessionId && <p className="session">Session {waiver.sessionId.slice(0, 8)}</p>}
        </section>
        <PhoneHandover />
        {waiver.sessionId && (
          <ReturnedForm
            callFunction={callFunction}
            sessionId={waiver.sessionId}
            isLocked={phase !== "filling"}
            onFields={({ name, email }) =>
              edit({ ...draft, name: name || draft.name, email: email || draft.email })
            }
          />
        )}
      </SigningForm>
    </main>
  );
}

function AlreadySigned() {
  return (
    <section className="notice">
      <h2>Waiver Already Signed</h2>
    </section>
  );
}

function UnsentNotice({ onRetry }: { onRetry: () => void }) {
  return (
    <section className="notice" role="alert">
      <h2>No connection</h2>
      <p>
        Your signature is kept on this device and is sent as soon as the connection returns. Please keep this
        page open.
      </p>
      <button type="button" onClick={onRetry}>
        Try now
      </button>
    </section>
  );
}

/** The reader may be someone whom the waiver reached by mistake, so the page does not mention a newer link. */
function Closed({ waiver: { company, isSigned, isCancelled } }: { waiver: Waiver }) {
  const state = isCancelled ? "Cancelled" : "Expired";
  return (
    <Message title={`Waiver ${isSigned ? "Already Signed" : state}`}>
      <p>
        This waiver {isCancelled ? "was cancelled" : "has expired"} and can no longer be signed
        {isSigned && " again"}. Please ask {company} for a new link{isCancelled && " if you still take part"}.
      </p>
    </Message>
  );
}
