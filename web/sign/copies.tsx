import { useState } from "react";
import type { Submission } from "./deliver";
import type { Call } from "./functions";

const PAUSE = 2000;
/** With the service's own patience this is more than a minute. */
const TRIES = 10;

type Props = { call: Call; signed: Submission["waiver"]; onWanted: () => void };

/** The signer's own copy: on this device, and by the mail that went out with the signature. */
export function Copies({ call, signed, onWanted }: Props) {
  const [says, setSays] = useState("");
  const [isBusy, setBusy] = useState(false);
  const fetching = (meanwhile: string, get: typeof saved) => async () => {
    onWanted();
    if (isBusy) return;
    setBusy(true);
    setSays(meanwhile);
    setSays(await get(call, signed));
    setBusy(false);
  };
  const button = { type: "button" as const, className: "copy", "aria-disabled": isBusy, onFocus: onWanted };
  return (
    <>
      <div className="copies">
        <button {...button} onClick={fetching("Your document is being prepared...", saved)}>
          Download your copy
        </button>
        <button {...button} onClick={fetching("Asking the mail server...", mailed)}>
          Email me a copy
        </button>
      </div>
      <output>{says}</output>
    </>
  );
}

async function saved(call: Call, { id, template_name }: Props["signed"]): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await call("waiver-document", { waiver_id: id });
    if (!answer?.ok) return "Your document could not be fetched. Your signature is safe; please try again.";
    if (answer.status !== 202) {
      save(await answer.blob(), `${template_name}.pdf`);
      return "Your copy is in your downloads.";
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return "Your document is still being prepared. Your signature is safe; please try again in a moment.";
}

function save(pdf: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(pdf);
  link.download = name;
  link.click();
}

/** The service's own words, which claim nothing that a mail server has not confirmed. */
async function mailed(call: Call, { id }: Props["signed"]): Promise<string> {
  const answer = await call("email-copy", { waiver_id: id });
  const told = await answer?.json().catch(() => null);
  return told?.says ?? "This could not be found out. Your signature is safe; please try again.";
}
