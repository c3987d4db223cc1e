/**
 * The browser stores copies of server data to show them offline, and unsaved drafts. The server does not trust them, so
 * editing them grants no access, and deleting them loses at most a draft. They never contain a password, a token or a
 * key.
 */
const CACHE_KEYS = [
  "user",
  "waiverTemplates",
  "templateDrafts",
  "sentWaivers",
  "listSending",
  "emailServiceConfig",
  "firstSteps",
  "inPersonSigning",
] as const;
export type CacheKey = (typeof CACHE_KEYS)[number];

/** This is the IndexedDB database that lib/offline-copies uses. */
export const OFFLINE_DATABASE = "cairn-copies";
const LAST_SEND_KEY = "lastSend";
const RECOVERY_KEY = "recovering";

export function writeCache(key: CacheKey, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full or disabled. The app works without its cache.
  }
}

export function readCache(key: CacheKey): unknown {
  return parseJson(localStorage.getItem(key));
}

/** Stores the outcome of the last waiver sent in this tab. Other tabs store their own. */
export function saveLastSend(outcome: unknown): void {
  sessionStorage.setItem(LAST_SEND_KEY, JSON.stringify(outcome));
}

export function readLastSend(): unknown {
  return parseJson(sessionStorage.getItem(LAST_SEND_KEY));
}

/** Remembers across reloads that a recovery link was opened in this tab and a new password must be chosen. */
export const startRecovery = (): void => sessionStorage.setItem(RECOVERY_KEY, "true");
export const isRecovering = (): boolean => sessionStorage.getItem(RECOVERY_KEY) !== null;
export const endRecovery = (): void => sessionStorage.removeItem(RECOVERY_KEY);

export function clearBrowserData(): Promise<void> {
  for (const key of CACHE_KEYS) localStorage.removeItem(key);
  sessionStorage.clear();
  return deleteOfflineCopies();
}

/** Deletes everything but the note that a recovery link was opened, because the user who signs in has opened it. */
export function deleteDataOfPreviousUser(): Promise<void> {
  const wasRecovering = isRecovering();
  const deletion = clearBrowserData();
  if (wasRecovering) startRecovery();
  return deletion;
}

/** The caller must not leave the page before the promise resolves, because leaving would stop the deletion. */
export function deleteOfflineCopies(): Promise<void> {
  if (!("indexedDB" in window)) return Promise.resolve();
  return new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(OFFLINE_DATABASE);
    for (const event of ["success", "error"]) request.addEventListener(event, () => resolve());
    // If storage is disabled, the browser throws. There is nothing to delete then.
  }).catch(() => undefined);
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
