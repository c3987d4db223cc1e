import { NO_SIGNATURE } from "../app/features/signing/signature-input";
import type { Draft } from "../app/features/signing/signing-form";
import type { Submission } from "./deliver";
import type { Waiver } from "./waiver";

/** What survives a reload of this tab, and ends with it: a shared tablet must not show the last guest's name. */
export type Kept = { draft: Draft; unsent: Submission | null };

const key = () => `cairn-signing:${location.pathname}${location.search}`;

export function kept(waiver: Waiver): Kept {
  const draft = {
    name: waiver.recipientName,
    email: waiver.recipientEmail,
    signature: NO_SIGNATURE,
    consentedAt: "",
  };
  try {
    const found = JSON.parse(sessionStorage.getItem(key()) ?? "");
    // An earlier version of this page stored drafts without the field `signature`.
    return { draft: { ...draft, ...found.draft }, unsent: found.unsent };
  } catch {
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
