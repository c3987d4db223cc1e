import type { ConsentTextRow, SignedWaiverInsert } from "../../lib/database";
import type { SignatureRow } from "../../lib/signing";
import { fillPlaceholders } from "./model";
import type { SubmittedSignature } from "./signing-form";

export type SignableWaiver = {
  sessionId: string;
  templateId: string;
  name: string;
  content: string;
  company: string;
  /** The consent is null only if the server has no consent text. */
  consent: ConsentTextRow | null;
};

/** The evidence says when the text was viewed and how far it was scrolled. It is stored and never blocks signing. */
export type ViewEvidence = Pick<SignedWaiverInsert, "first_viewed_at" | "last_viewed_at" | "scroll_depth">;

/** Returns the row to store for a signature, without its id. */
export function signatureRow(
  waiver: SignableWaiver,
  signature: SubmittedSignature,
  evidence: ViewEvidence,
): SignatureRow {
  const { consent } = waiver;
  return {
    session_id: waiver.sessionId,
    template_id: waiver.templateId,
    template_name: waiver.name,
    signer_name: signature.name,
    signer_email: signature.email,
    signature: signature.picture,
    content: fillPlaceholders(waiver.content, { participant: signature.name, company: waiver.company }),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    strokes: signature.strokes,
    ...signature.formColumns,
    ...evidence,
    ...(consent && {
      consent_version: consent.version,
      consent_language: consent.language,
      consented_at: signature.consentedAt,
    }),
  };
}
