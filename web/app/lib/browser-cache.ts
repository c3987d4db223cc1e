/**
 * Copies kept in the browser so that there is something to show offline. They have no authority: deleting or editing
 * one loses nothing and grants nothing, and none ever contains a password, a token or a key.
 */
const KEYS = [
  "user",
  "waiverTemplates",
  "templateDrafts",
  "sentWaivers",
  "emailServiceConfig",
  "firstSteps",
] as const;
export type CacheKey = (typeof KEYS)[number];

/** The IndexedDB database of lib/offline-copies. */
export const OFFLINE_DATABASE = "cairn-copies";
const LAST_SEND = "lastSend";
const RECOVERING = "recovering";

export function writeCache(key: CacheKey, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden; the app works without its cache.
  }
}

export function readCache(key: CacheKey): unknown {
  return parse(localStorage.getItem(key));
}

/** The outcome of this tab's last send. Other tabs have their own. */
export function saveLastSend(outcome: unknown): void {
  sessionStorage.setItem(LAST_SEND, JSON.stringify(outcome));
}

export function readLastSend(): unknown {
  return parse(sessionStorage.getItem(LAST_SEND));
}

/** A user who opened a recovery link in this tab is choosing a new password, even after a reload. */
export const startRecovery = (): void => sessionStorage.setItem(RECOVERING, "true");
export const isRecovering = (): boolean => sessionStorage.getItem(RECOVERING) !== null;
export const endRecovery = (): void => sessionStorage.removeItem(RECOVERING);

export function clearBrowserData(): Promise<void> {
  for (const key of KEYS) localStorage.removeItem(key);
  sessionStorage.clear();
  return deleteOfflineCopies();
}

/** Resolves once the database is deleted, because a page that is being closed would not finish the deletion. */
export function deleteOfflineCopies(): Promise<void> {
  if (!("indexedDB" in window)) return Promise.resolve();
  return new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(OFFLINE_DATABASE);
    for (const event of ["success", "error"]) request.addEventListener(event, () => resolve());
    // A browser with storage disabled throws; then there is nothing to delete.
  }).catch(() => undefined);
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
