import { isEmbedded } from "./embedded";
import type { Submission } from "./submission";

/** Receipts are stored in the browser under keys that start with this prefix (see kept-receipts.ts). */
export const RECEIPT_PREFIX = "cairn-receipt:";

/**
 * Stores what the front page needs to offer a copy of the waiver for a day. The fields are stored as a list, to save
 * bytes (see `parseReceipt`). On a company's device and in a frame nothing is stored, because the next guest would see
 * it.
 */
export function keepReceipt(waiver: Submission["waiver"], company: string): void {
  const { id, session_id, document_secret, template_name, signer_name } = waiver;
  try {
    if (isEmbedded() || /"company"/.test(localStorage.user)) return;
    const fields = [id, session_id, document_secret, template_name, signer_name, company, Date.now()];
    localStorage.setItem(RECEIPT_PREFIX + id, JSON.stringify(fields));
  } catch {
    // The storage is full or disabled. The guest still has the receipt on this page.
  }
}
