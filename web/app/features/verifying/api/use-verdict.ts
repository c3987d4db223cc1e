import { useCallback, useState } from "react";
import type { Verdict } from "../model";
import { FileTooLarge, verifyDocument, type VerifyRequest } from "./verify-document";

export type CheckState =
  | { phase: "idle" }
  | { phase: "checking" }
  | { phase: "done"; verdict: Verdict; fileName: string | null }
  | { phase: "failed"; reason: string; request: VerifyRequest };

const NO_RESPONSE = "The service did not respond, so the document was not checked. Please try again.";

/** Runs one check. The result of an older request is ignored if a newer one has started. */
export function useVerdict() {
  const [check, setCheck] = useState<CheckState>({ phase: "idle" });
  const verify = useCallback(async (request: VerifyRequest) => {
    const newCheck: CheckState = { phase: "checking" };
    setCheck(newCheck);
    const result = await runCheck(request);
    setCheck((current) => (current === newCheck ? result : current));
  }, []);
  return { check, verify };
}

async function runCheck(request: VerifyRequest): Promise<CheckState> {
  const fileName = request instanceof File ? request.name : null;
  try {
    return { phase: "done", verdict: await verifyDocument(request), fileName };
  } catch (error) {
    return { phase: "failed", reason: error instanceof FileTooLarge ? error.message : NO_RESPONSE, request };
  }
}
