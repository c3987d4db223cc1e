import { useEffect, useState } from "react";
import type { Desk } from "./account";
import { isEmbedded } from "./embedded";
import type { Call } from "./functions";
import { Message } from "./message";
import type { Ask } from "./rest";
import { SigningPage } from "./signing-page";
import { atDesk, load, type Found } from "./waiver";

type Props = {
  ask: Ask;
  call: Call;
  desk: (() => Promise<Desk | null>) | null;
  found: Found;
  leave: () => void;
};
type Opened = { found: Found; ask: Ask };

/** Whatever the address leads to: a waiver to sign, or a plain word about why there is none. */
export function Page({ ask, call, desk, found: inlined, leave }: Props) {
  // In a frame only the server's own answer counts: with it comes who may show the waiver.
  const isWhole = isEmbedded() || (inlined.kind !== "unavailable" && !desk);
  const [opened, setOpened] = useState<Opened | null>(isWhole ? { found: inlined, ask } : null);
  useEffect(() => {
    if (!opened) void open(ask, desk, inlined).then(setOpened);
  }, [ask, desk, inlined, opened]);
  const found = opened?.found;
  useEffect(() => {
    if (found?.kind === "waiver") document.title = found.waiver.name;
  }, [found]);

  if (!found) return <Loading />;
  if (found.kind === "waiver")
    return <SigningPage ask={opened.ask} call={call} waiver={found.waiver} leave={leave} />;
  return <NotFound found={found} onRetry={isEmbedded() ? leave : () => setOpened(null)} />;
}

async function open(ask: Ask, desk: Props["desk"], inlined: Found): Promise<Opened> {
  const [found, signedIn] = await Promise.all([
    inlined.kind === "unavailable" ? load(ask, new URL(location.href)) : inlined,
    desk?.(),
  ]);
  const there = signedIn && atDesk(found, signedIn.company);
  return there ? { found: there, ask: signedIn.ask } : { found, ask };
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
