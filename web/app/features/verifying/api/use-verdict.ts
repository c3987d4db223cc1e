import { useCallback, useState } from "react";
import type { Verdict } from "../model";
import { TooLarge, verifyDocument, type Question } from "./verify-document";

export type Check =
  | { phase: "idle" }
  | { phase: "checking" }
  | { phase: "told"; verdict: Verdict; fileName: string | null }
  | { phase: "failed"; reason: string; question: Question };

const NO_ANSWER = "The service did not answer. Nothing was said about the document; please try again.";

/** One question at a time; the answer to an older one is dropped when a newer has been asked. */
export function useVerdict() {
  const [check, setCheck] = useState<Check>({ phase: "idle" });
  const ask = useCallback(async (question: Question) => {
    const asked: Check = { phase: "checking" };
    setCheck(asked);
    const answer = await answerTo(question);
    setCheck((now) => (now === asked ? answer : now));
  }, []);
  return { check, ask };
}

async function answerTo(question: Question): Promise<Check> {
  const fileName = question instanceof File ? question.name : null;
  try {
    return { phase: "told", verdict: await verifyDocument(question), fileName };
  } catch (error) {
    return { phase: "failed", reason: error instanceof TooLarge ? error.message : NO_ANSWER, question };
  }
}
