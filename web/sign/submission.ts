import { fillPlaceholders } from "../app/features/signing/model";
import type { Signed } from "../app/features/signing/signing-form";
import type { SessionInsert, SignedWaiverInsert } from "../app/lib/database";
import { newId } from "../app/lib/new-id";
import type { ViewEvidence } from "./view-evidence";
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
  signed: Signed,
  evidence: ViewEvidence,
  previous: Submission | null,
): Submission {
  const content = fillPlaceholders(waiver.content, { participant: signed.name, company: waiver.company });
  if (previous && isSame(previous, signed, content)) return previous;
  const sessionId = waiver.sessionId ?? newId();
  return {
    session: waiver.sessionId ? null : newSession(waiver, sessionId),
    waiver: {
      id: newId(),
      session_id: sessionId,
      template_id: waiver.templateId,
      template_name: waiver.name,
      signer_name: signed.name,
      signer_email: signed.email,
      signature: signed.signature,
      content,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      strokes: signed.strokes,
      ...evidence,
      ...consentColumns(waiver, signed),
    },
  };
}

function consentColumns({ consent }: Waiver, { consentedAt }: Signed) {
  return (
    consent && {
      consent_version: consent.version,
      consent_language: consent.language,
      consented_at: consentedAt,
    }
  );
}

function isSame({ waiver }: Submission, signed: Signed, content: string): boolean {
  return (
    waiver.signer_name === signed.name &&
    waiver.signer_email === signed.email &&
    waiver.signature === signed.signature &&
    waiver.content === content
  );
}

function newSession(waiver: Waiver, id: string): Submission["session"] {
  const session = {
    id,
    template_id: waiver.templateId,
    status: "pending" as const,
    template_content: waiver.content,
  };
  return waiver.companyId ? { ...session, company_id: waiver.companyId } : session;
}
