import { useState } from "react";
import { WaiverText } from "../app/features/signing/waiver-text";
import { isPast } from "../app/lib/signing";
import { Copies } from "./copies";
import type { CallFunction } from "./functions";
import { keptReceipts } from "./kept-receipts";
import { SIGN_AGAIN } from "./draft-storage";
import type { Waiver } from "./waiver";
import { WaiverHeader } from "./waiver-header";

export type FirstSignature = { signed_at: string; first_name: string };

/** `firstSignature` is null if all signatures were erased. */
type Props = { waiver: Waiver; firstSignature: FirstSignature | null; callFunction: CallFunction };

/**
 * Shows a waiver that was already signed: when and by whom, and its text. The copy is offered only to the browser that
 * has signed. Signing again is one more click, which opens the signing page.
 */
export function SignedPage({ waiver, firstSignature, callFunction }: Props) {
  return (
    <main>
      <WaiverHeader waiver={waiver} />
      {firstSignature ? (
        <Signed waiver={waiver} firstSignature={firstSignature} callFunction={callFunction} />
      ) : (
        <section className="notice" aria-label="Waiver Erased">
          <h2>Waiver Erased</h2>
          <p>
            The waiver that was signed with this link has been erased, so the link is closed. Please ask{" "}
            {waiver.company} for a new link.
          </p>
        </section>
      )}
      <section className="sheet" aria-label="Waiver text">
        <WaiverText
          content={waiver.content}
          names={{ participant: waiver.recipientName, company: waiver.company }}
        />
      </section>
    </main>
  );
}

function Signed({ waiver, firstSignature, callFunction }: Props & { firstSignature: FirstSignature }) {
  const [isExpired] = useState(() => isPast(waiver.expiresAt, new Date()));
  const receipt = keptReceipts().find((kept) => kept.waiver.session_id === waiver.sessionId);
  return (
    <section className="notice" aria-label="Waiver Already Signed">
      <h2>Waiver Already Signed</h2>
      <p>
        Signed by <bdi>{firstSignature.first_name}</bdi> on {exactTime(firstSignature.signed_at)}.
      </p>
      {receipt ? (
        <Copies callFunction={callFunction} waiver={receipt.waiver} onInteraction={() => {}} />
      ) : (
        <p>
          Is this your signature? Your copy opens with the link in your email, or in{" "}
          <a href="/guest-dashboard">your account</a>.
        </p>
      )}
      {isExpired ? (
        <p>
          This waiver has expired and can no longer be signed again. Please ask {waiver.company} for a new
          link.
        </p>
      ) : (
        <p>
          <a href={SIGN_AGAIN}>Sign again</a> only if you need to. The earlier signature stays as it is.
        </p>
      )}
    </section>
  );
}

const exactTime = (time: string): string =>
  new Date(time).toLocaleString("en-US", { dateStyle: "long", timeStyle: "short" });
