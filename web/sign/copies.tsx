import { useState } from "react";
import { saveFile } from "../app/lib/save-file";
import type { CallFunction } from "./functions";
import type { Submission } from "./submission";

const RETRY_DELAY_MS = 2000;
/** The server waits up to 5 s before it responds that the document is not ready, so ten attempts take up to 70 s. */
const MAX_ATTEMPTS = 10;

type Props = {
  callFunction: CallFunction;
  waiver: Pick<Submission["waiver"], "id" | "document_secret" | "template_name">;
  onInteraction: () => void;
};

/**
 * Offers the signer a copy as a download. A copy was also emailed after signing. The second button shows the status of
 * that email and sends it again if it failed.
 */
export function Copies({ callFunction, waiver, onInteraction }: Props) {
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const run = (progress: string, action: typeof download) => async () => {
    onInteraction();
    if (isBusy) return;
    setBusy(true);
    setMessage(progress);
    setMessage(await action(callFunction, waiver));
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
        <button {...button} onClick={run("Asking the mail server...", requestEmailedCopy)}>
          Email me a copy
        </button>
      </div>
      <output>{message}</output>
    </>
  );
}

async function download(callFunction: CallFunction, waiver: Props["waiver"]): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const response = await callFunction("waiver-document", proofOf(waiver));
    if (response?.status === 422)
      return "Your signature is safe, but this text is too long for a PDF. Please ask the company for a copy.";
    if (!response?.ok) return "Your document could not be fetched. Your signature is safe; please try again.";
    if (response.status !== 202) {
      saveFile(await response.blob(), `${waiver.template_name}.pdf`);
      return "Your copy is in your downloads.";
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
  return "Your document is still being prepared. Your signature is safe; please try again in a moment.";
}

/**
 * Lets the server send the email again if it failed. Returns the text in the field `says` of the response, because only
 * the server knows what the mail server has confirmed.
 */
async function requestEmailedCopy(callFunction: CallFunction, waiver: Props["waiver"]): Promise<string> {
  const response = await callFunction("email-copy", proofOf(waiver));
  const payload = await response?.json().catch(() => null);
  return (
    payload?.says ??
    "We could not find out whether your copy was sent. Your signature is safe; please try again."
  );
}

/** The server requires the secret that only this browser knows, because the id is printed on the document. */
const proofOf = ({ id, document_secret }: Props["waiver"]) => ({ waiver_id: id, secret: document_secret });
