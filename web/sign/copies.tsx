import { useState } from "react";
import { saveFile } from "../app/lib/save-file";
import type { CallFunction } from "./functions";
import type { Submission } from "./submission";

const RETRY_DELAY = 2000;
/** Together with the time the server waits before each response, this is more than a minute. */
const MAX_ATTEMPTS = 10;

type Props = { callFunction: CallFunction; signed: Submission["waiver"]; onInteraction: () => void };

/** Offers the signer a copy: as a download, and by email, which was sent with the signature. */
export function Copies({ callFunction, signed, onInteraction }: Props) {
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const run = (progress: string, action: typeof download) => async () => {
    onInteraction();
    if (isBusy) return;
    setBusy(true);
    setMessage(progress);
    setMessage(await action(callFunction, signed));
    setBusy(false);
  };
  const button = {
    type: "button" as const,
    className: "copy",
    "aria-disabled": isBusy,
    onFocus: onInteraction,
  };
  return (
    <>
      <div className="copies">
        <button {...button} onClick={run("Your document is being prepared...", download)}>
          Download your copy
        </button>
        <button {...button} onClick={run("Asking the mail server...", emailStatus)}>
          Email me a copy
        </button>
      </div>
      <output>{message}</output>
    </>
  );
}

async function download(callFunction: CallFunction, { id, template_name }: Props["signed"]): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const response = await callFunction("waiver-document", { waiver_id: id });
    if (!response?.ok) return "Your document could not be fetched. Your signature is safe; please try again.";
    if (response.status !== 202) {
      saveFile(await response.blob(), `${template_name}.pdf`);
      return "Your copy is in your downloads.";
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
  }
  return "Your document is still being prepared. Your signature is safe; please try again in a moment.";
}

/** The server's own message, because only the server knows what the mail server has confirmed. */
async function emailStatus(callFunction: CallFunction, { id }: Props["signed"]): Promise<string> {
  const response = await callFunction("email-copy", { waiver_id: id });
  const payload = await response?.json().catch(() => null);
  return payload?.says ?? "This could not be found out. Your signature is safe; please try again.";
}
