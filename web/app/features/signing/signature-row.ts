import type { ConsentTextRow, SignedWaiverInsert } from "../../lib/database";
import type { SignatureRow } from "../../lib/signing";
import { fillPlaceholders } from "./model";
import type { Signed } from "./signing-form";

export type SignableWaiver = {
  sessionId: string;
  templateId: string;
  name: string;
  content: string;
  company: string;
  /** Null only when the server has no consent text. */
  consent: ConsentTextRow | null;
};

/** When and how far the text was on screen. It is stored as evidence and never blocks signing. */
export type ViewEvidence = Pick<SignedWaiverInsert, "first_viewed_at" | "last_viewed_at" | "scroll_depth">;

/** The row to store for a signature, still without its id. */
export function signatureRow(waiver: SignableWaiver, signed: Signed, evidence: ViewEvidence): SignatureRow {
  const { consent } = waiver;
  return {
    session_id: waiver.sessionId,
    template_id: waiver.templateId,
    template_name: waiver.name,
    signer_name: signed.name,
    signer_email: signed.email,
    signature: signed.signature,
    content: fillPlaceholders(waiver.content, { participant: signed.name, company: waiver.company }),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    strokes: signed.strokes,
    ...evidence,
    ...(consent && {
      consent_version: consent.version,
      consent_language: consent.language,
      consented_at: signed.consentedAt,
    }),
  };
}
