import { useState, type ReactNode } from "react";
import type { SigningProps } from "../app/features/signing/signing-form";
import { isPast } from "../app/lib/signing";
import type { CallFunction } from "./functions";
import { Message } from "./message";
import { useViewEvidence } from "./view-evidence";
import { Receipt } from "./receipt";
import type { RestRequest } from "./rest";
import type { SigningState } from "./signing-state";
import { useSigning } from "./use-signing";
import type { Waiver } from "./waiver";
import { WaiverHeader } from "./waiver-header";

/** The body is what the guest reads and fills in. It differs between waivers with and without a form. */
export type BodyProps = Pick<SigningProps, "onDraft" | "onSign" | "isLocked" | "aside"> & {
  state: SigningState;
  /** If the waiver is already signed, this says so. */
  notice: ReactNode;
  textElement: { current: HTMLElement | null };
  callFunction: CallFunction;
};
export type Body = (props: BodyProps) => ReactNode;

type Props = {
  request: RestRequest;
  callFunction: CallFunction;
  waiver: Waiver;
  leave: () => void;
  body: Body;
};

export function SigningPage({
  request,
  callFunction,
  waiver: initialWaiver,
  leave,
  body: SigningBody,
}: Props) {
  const { state, edit, sign, retry } = useSigning(request, initialWaiver);
  const { waiver, phase, submission } = state;
  const { textElement, evidence } = useViewEvidence(request, initialWaiver.sessionId);
  const [wasExpired] = useState(() => isPast(initialWaiver.expiresAt, new Date()));

  if (phase === "signed" && submission)
    return <Receipt request={request} callFunction={callFunction} waiver={submission.waiver} leave={leave} />;
  if (phase === "closed" || wasExpired || waiver.isCancelled) return <Closed waiver={waiver} />;
  return (
    <main>
      <WaiverHeader waiver={waiver} />
      <SigningBody
        state={state}
        onDraft={edit}
        onSign={(signature) => sign(signature, evidence())}
        isLocked={phase !== "filling"}
        aside={state.failureCount > 0 && <UnsentNotice onRetry={retry} />}
        notice={waiver.isSigned && <AlreadySigned />}
        textElement={textElement}
        callFunction={callFunction}
      />
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

/** The reader may be someone whom the waiver reached by mistake, so the page does not say whether there is a newer link. */
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
