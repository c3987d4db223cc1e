import { useCallback, useEffect, useState } from "react";
import { sessionWarning, type Submission } from "./deliver";
import { save, type FetchDocument } from "./document";
import { Message } from "./message";
import type { Ask } from "./rest";

const STAY = 2000;
const PAUSE = 2000;
/** With the service's own patience this is more than a minute. */
const TRIES = 10;

type Props = {
  ask: Ask;
  fetchDocument: FetchDocument;
  signed: Submission["waiver"];
  leave: () => void;
};

/** Says that it is done and goes home by itself, unless the signer wants their copy first. */
export function Receipt({ ask, fetchDocument, signed, leave }: Props) {
  const [warning, setWarning] = useState("");
  const [isStaying, setStaying] = useState(false);
  useEffect(() => void sessionWarning(ask, signed.session_id).then(setWarning), [ask, signed]);
  useEffect(() => {
    if (isStaying) return undefined;
    const timer = setTimeout(leave, STAY);
    return () => clearTimeout(timer);
  }, [isStaying, leave]);
  const stay = useCallback(() => setStaying(true), []);

  return (
    <Message title="Waiver signed">
      <p>
        Thank you. Your signature on <bdi>{signed.template_name}</bdi> is stored.
      </p>
      {warning && <p role="alert">{warning}</p>}
      <Copy fetchDocument={fetchDocument} signed={signed} onWanted={stay} />
      {/* Always there: appearing under a finger, it would move the button away from it. */}
      <a href="/">Done</a>
    </Message>
  );
}

type State = "offered" | "fetching" | "saved" | "slow" | "failed";

const SAYS: Record<State, string> = {
  offered: "",
  fetching: "Your document is being prepared...",
  saved: "Your copy is in your downloads.",
  slow: "Your document is still being prepared. Your signature is safe; please try again in a moment.",
  failed: "Your document could not be fetched. Your signature is safe; please try again.",
};

type CopyProps = Pick<Props, "fetchDocument" | "signed"> & { onWanted: () => void };

function Copy({ fetchDocument, signed, onWanted }: CopyProps) {
  const [state, setState] = useState<State>("offered");
  const fetchCopy = async () => {
    onWanted();
    if (state === "fetching") return;
    setState("fetching");
    setState(await saved(fetchDocument, signed));
  };
  return (
    <>
      <button
        type="button"
        className="copy"
        aria-disabled={state === "fetching"}
        onFocus={onWanted}
        onClick={() => void fetchCopy()}
      >
        Download your copy
      </button>
      <output>{SAYS[state]}</output>
    </>
  );
}

async function saved(fetchDocument: FetchDocument, signed: Submission["waiver"]): Promise<State> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await fetchDocument(signed.id);
    if (found.kind === "failed") return "failed";
    if (found.kind === "pdf") {
      save(found.pdf, `${signed.template_name}.pdf`);
      return "saved";
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return "slow";
}
