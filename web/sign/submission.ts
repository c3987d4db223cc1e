import { signatureRow, type ViewEvidence } from "../app/features/signing/signature-row";
import type { SubmittedSignature } from "../app/features/signing/signing-form";
import type { SessionInsert, SignedWaiverInsert } from "../app/lib/database";
import { newId } from "../app/lib/new-id";
import { isSameSignature } from "../app/lib/signing";
import type { Waiver } from "./waiver";

/**
 * A submission contains the rows of one signature. The page creates their ids, so that a retry is stored only once. It
 * also creates the secret with which this browser can open the document for a day.
 */
export type Submission = {
  /** This is null if the session already exists. */
  session: (SessionInsert & { id: string }) | null;
  waiver: SignedWaiverInsert;
  /** The form as the signer saw it. */
  form: Waiver["form"];
};

/** If the same signature is submitted again, returns the previous submission with its ids. */
export function createSubmission(
  waiver: Waiver,
  signature: SubmittedSignature,
  evidence: ViewEvidence,
  previous: Submission | null,
): Submission {
  const sessionId = waiver.sessionId ?? signature.sessionId ?? newId();
  const row = signatureRow({ ...waiver, sessionId }, signature, evidence);
  if (previous && isSameSignature(previous.waiver, row)) return previous;
  return {
    session: waiver.sessionId ? null : newSession(waiver, sessionId),
    waiver: { id: newId(), document_secret: newId(), ...row },
    form: waiver.form,
  };
}

export function newSession({ templateId, content, companyId }: Waiver, id: string): Submission["session"] {
  const session = { id, template_id: templateId, status: "pending" as const, template_content: content };
  return companyId ? { ...session, company_id: companyId } : session;
}
