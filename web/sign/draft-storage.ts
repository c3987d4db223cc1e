import { draftKey } from "../app/features/signing/draft-key";
import { NO_SIGNATURE } from "../app/features/signing/signature-input";
import type { Draft } from "../app/features/signing/signing-form";
import type { Submission } from "./submission";
import type { Waiver } from "./waiver";

/**
 * The draft survives a reload but is lost with the tab, because a shared tablet must not show the previous guest's
 * name.
 */
export type StoredDraft = {
  draft: Draft;
  /** The server has not confirmed this submission yet. */
  unsent: Submission | null;
};

const storageKey = (search = location.search) => draftKey(location.pathname + search);

/** With this query, the server sends the signing page of a session that was already signed. */
export const SIGN_AGAIN = "?again";

/**
 * Called on the page of a session that was already signed, perhaps with a signature of this tab. If the tab has one that
 * the server has not confirmed yet, opens the signing page and returns true.
 */
export function openUnsentDraft(): boolean {
  try {
    const storedDraft = sessionStorage.getItem(storageKey()) ?? "null";
    if (!JSON.parse(storedDraft)?.unsent) return false;
    sessionStorage.setItem(storageKey(SIGN_AGAIN), storedDraft);
    sessionStorage.removeItem(storageKey());
    location.replace(SIGN_AGAIN);
    return true;
  } catch {
    return false;
  }
}

export function loadDraft(waiver: Waiver): StoredDraft {
  const draft = {
    name: waiver.recipientName,
    email: waiver.recipientEmail,
    signature: NO_SIGNATURE,
    consentedAt: "",
  };
  try {
    const storedDraft = JSON.parse(sessionStorage.getItem(storageKey()) ?? "");
    // An earlier version of this page stored drafts without the field `signature`.
    return { draft: { ...draft, ...storedDraft.draft }, unsent: storedDraft.unsent };
  } catch {
    return { draft, unsent: null };
  }
}

export function saveDraft(storedDraft: StoredDraft): void {
  try {
    sessionStorage.setItem(storageKey(), JSON.stringify(storedDraft));
  } catch {
    // The storage is full or disabled. The draft is still in memory.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(storageKey());
  } catch {
    // The storage is disabled, so there is nothing to clear.
  }
}
