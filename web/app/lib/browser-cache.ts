/**
 * Copies of server data, to show something offline, and unsaved drafts. The server does not trust them, so editing one
 * grants nothing, and deleting one loses a draft at most. None ever contains a password, a token or a key.
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

/** Remembers across reloads that a recovery link was opened in this tab and its user must choose a new password. */
export const startRecovery = (): void => sessionStorage.setItem(RECOVERING, "true");
export const isRecovering = (): boolean => sessionStorage.getItem(RECOVERING) !== null;
export const endRecovery = (): void => sessionStorage.removeItem(RECOVERING);

export function clearBrowserData(): Promise<void> {
  for (const key of KEYS) localStorage.removeItem(key);
  sessionStorage.clear();
  return deleteOfflineCopies();
}

/** Await this before leaving the page, because a page that is being closed would not finish the deletion. */
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
