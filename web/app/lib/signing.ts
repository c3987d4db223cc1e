/** The signing page and the dialog for signing in person share these rules. */
import type { SignedWaiverInsert } from "./database";

export const UNEXPECTED_ERROR = "An unexpected error occurred. Please try again.";

/**
 * Our server stores the waiver and marks its session as signed in one transaction, so this warning can only appear if
 * the page is used with another server.
 */
export const SESSION_NOT_UPDATED = "Warning: Waiver was signed but we couldn't update the session record.";

/** A signature gets its id when it is sent. */
export type SignatureRow = Omit<SignedWaiverInsert, "id">;

/** A retry of the same signature must keep its id, so that it is stored only once. */
export function isSameSignature(a: SignatureRow, b: SignatureRow): boolean {
  return (
    a.signer_name === b.signer_name &&
    a.signer_email === b.signer_email &&
    a.signature === b.signature &&
    a.content === b.content &&
    formColumns(a) === formColumns(b)
  );
}

const formColumns = (row: SignatureRow) =>
  JSON.stringify([row.answers, row.participants, row.guardian, row.initials]);

export function isPast(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now;
}

/** Returns the percentage of the text that has been on screen. */
export function percentSeen(seenHeight: number, totalHeight: number): number {
  return totalHeight ? Math.round(Math.min(Math.max(seenHeight / totalHeight, 0), 1) * 100) : 0;
}
