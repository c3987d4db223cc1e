import { useState } from "react";
import type { CallFunction } from "./functions";

type Props = {
  callFunction: CallFunction;
  sessionId: string;
  isLocked: boolean;
  onFields: (fields: { name: string; email: string }) => void;
};

const FILLED_IN = "Name and email are taken from your PDF. Please check them, then sign below.";
const OTHER_WAIVER = "This PDF belongs to another waiver.";
const READ_FAILED = "Your PDF could not be read. Please fill in the fields below.";

/** Takes name and email from an interactive form that the guest has filled in. The guest still signs on this page. */
export function ReturnedForm({ callFunction, sessionId, isLocked, onFields }: Props) {
  const [message, setMessage] = useState("");
  const read = async (file: File | undefined) => {
    if (!file) return;
    setMessage("Reading your PDF...");
    const response = await callFunction("waiver-form", file);
    const payload = await response?.json().catch(() => null);
    if (!response?.ok || !payload) return setMessage(payload?.error ?? READ_FAILED);
    if (payload.session_id !== sessionId) return setMessage(OTHER_WAIVER);
    onFields(payload);
    setMessage(FILLED_IN);
  };
  return (
    <details className="returned">
      <summary>Filled in the PDF already?</summary>
      <input
        type="file"
        accept="application/pdf"
        aria-label="Your filled PDF"
        disabled={isLocked}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <output>{message}</output>
    </details>
  );
}
