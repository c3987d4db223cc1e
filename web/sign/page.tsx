import { useEffect, useState } from "react";
import type { FetchDocument } from "./document";
import { Message } from "./message";
import type { Ask } from "./rest";
import { SigningPage } from "./signing-page";
import { load, type Found } from "./waiver";

type Props = { ask: Ask; fetchDocument: FetchDocument; found: Found; leave: () => void };

/** Whatever the address leads to: a waiver to sign, or a plain word about why there is none. */
export function Page({ ask, fetchDocument, found: inlined, leave }: Props) {
  const [found, setFound] = useState<Found | null>(inlined.kind === "unavailable" ? null : inlined);
  useEffect(() => {
    if (!found) void load(ask, new URL(location.href)).then(setFound);
  }, [ask, found]);
  useEffect(() => {
    if (found?.kind === "waiver") document.title = found.waiver.name;
  }, [found]);

  if (!found) return <Loading />;
  if (found.kind === "waiver")
    return <SigningPage ask={ask} fetchDocument={fetchDocument} waiver={found.waiver} leave={leave} />;
  return <NotFound found={found} onRetry={() => setFound(null)} />;
}

function Loading() {
  return (
    <main className="message">
      <output>Loading waiver...</output>
    </main>
  );
}

const ABSENT = {
  session: ["Session Not Found", "The requested waiver session could not be found."],
  template: ["Waiver Not Found", "The requested waiver template could not be found."],
  content: ["Waiver Template Not Found", "The waiver template for this session could not be found."],
};

function NotFound({ found, onRetry }: { found: Exclude<Found, { kind: "waiver" }>; onRetry: () => void }) {
  const isAbsent = found.kind === "missing";
  const [title, text] = isAbsent ? ABSENT[found.what] : ["", "Failed to load waiver data."];
  return (
    <Message title="Waiver Not Found">
      <p>The requested waiver could not be found.</p>
      <div className="notice" role="alert">
        {title && <h2>{title}</h2>}
        <p>{text}</p>
        {!isAbsent && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </Message>
  );
}
