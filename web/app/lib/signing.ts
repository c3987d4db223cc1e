/** Rules that the signing page of guests and in-person signing share. */
import type { SignedWaiverInsert } from "./database";

export const UNEXPECTED = "An unexpected error occurred. Please try again.";

/** A signature before it gets its id. */
export type SignatureRow = Omit<SignedWaiverInsert, "id">;

/** A retry of the same signature must keep its id, so that it is stored only once. */
export function isSameSignature(one: SignatureRow, other: SignatureRow): boolean {
  return (
    one.signer_name === other.signer_name &&
    one.signer_email === other.signer_email &&
    one.signature === other.signature &&
    one.content === other.content
  );
}

export function isPast(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now;
}

/** The percentage of the text that has been on screen, 0 to 100. */
export function percentSeen(seen: number, total: number): number {
  return total ? Math.round(Math.min(Math.max(seen / total, 0), 1) * 100) : 0;
}
