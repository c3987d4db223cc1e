import { useState } from "react";
import type { Call } from "./functions";

type Props = {
  call: Call;
  sessionId: string;
  locked: boolean;
  onAnswers: (answers: { name: string; email: string }) => void;
};

const TAKEN = "Name and email are taken from your PDF. Please check them, then sign below.";
const OTHER = "This PDF belongs to another waiver.";
const FAILED = "Your PDF could not be read. Please fill in the fields below.";

/** Whoever filled in the attached PDF need not type again. The signature itself is still made on the page. */
export function ReturnedForm({ call, sessionId, locked, onAnswers }: Props) {
  const [says, setSays] = useState("");
  const read = async (file: File | undefined) => {
    if (!file) return;
    setSays("Reading your PDF...");
    const answer = await call("waiver-form", file);
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok || !told) return setSays(told?.error ?? FAILED);
    if (told.session_id !== sessionId) return setSays(OTHER);
    onAnswers(told);
    setSays(TAKEN);
  };
  return (
    <details className="returned">
      <summary>Filled in the PDF already?</summary>
      <input
        type="file"
        accept="application/pdf"
        aria-label="Your filled PDF"
        disabled={locked}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <output>{says}</output>
    </details>
  );
}
