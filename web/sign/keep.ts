import { NO_INK } from "../app/features/signing/ink";
import type { Draft } from "../app/features/signing/signing-form";
import type { Submission } from "./deliver";
import type { Waiver } from "./waiver";

/** What survives a reload of this tab, and ends with it: a shared tablet must not show the last guest's name. */
export type Kept = { draft: Draft; unsent: Submission | null };

const key = () => `cairn-signing:${location.pathname}${location.search}`;

export function kept(waiver: Waiver): Kept {
  try {
    const found = JSON.parse(sessionStorage.getItem(key()) ?? "");
    return { draft: found.draft, unsent: found.unsent };
  } catch {
    const draft = { name: waiver.recipientName, email: waiver.recipientEmail, ink: NO_INK, consentedAt: "" };
    return { draft, unsent: null };
  }
}

export function keep(what: Kept): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(what));
  } catch {
    // Storage is full or forbidden; the page itself still holds everything.
  }
}

export function forget(): void {
  try {
    sessionStorage.removeItem(key());
  } catch {
    // As above: then there is nothing to forget either.
  }
}
