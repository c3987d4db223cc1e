import { signatureRow, type ViewEvidence } from "../app/features/signing/signature-row";
import type { SubmittedSignature } from "../app/features/signing/signing-form";
import type { SessionInsert, SignedWaiverInsert } from "../app/lib/database";
import { newId } from "../app/lib/new-id";
import { isSameSignature } from "../app/lib/signing";
import type { Waiver } from "./waiver";

/** The rows of one signature. Their ids are created here, so that a repeated submission is stored only once. */
export type Submission = {
  /** Null when the session exists already. */
  session: (SessionInsert & { id: string }) | null;
  waiver: SignedWaiverInsert;
};

/** Returns the previous submission when the same signature is submitted again, so that it keeps its ids. */
export function createSubmission(
  waiver: Waiver,
  signed: SubmittedSignature,
  evidence: ViewEvidence,
  previous: Submission | null,
): Submission {
  const sessionId = waiver.sessionId ?? newId();
  const row = signatureRow({ ...waiver, sessionId }, signed, evidence);
  if (previous && isSameSignature(previous.waiver, row)) return previous;
  return {
    session: waiver.sessionId ? null : newSession(waiver, sessionId),
    waiver: { id: newId(), ...row },
  };
}

function newSession({ templateId, content, companyId }: Waiver, id: string): Submission["session"] {
  const session = { id, template_id: templateId, status: "pending" as const, template_content: content };
  return companyId ? { ...session, company_id: companyId } : session;
}
