/**
 * Copies kept in the browser so that there is something to show without a network. They decide nothing: losing or
 * editing one loses nothing and grants nothing, and none ever holds a password, a token or a key.
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

/** The database of lib/device-copy. */
export const OFFLINE_DATABASE = "cairn-copies";
const LAST_SEND = "lastSend";
const RECOVERING = "recovering";

export function writeCache(key: CacheKey, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden; a cache may be missing.
  }
}

export function readCache(key: CacheKey): unknown {
  return parse(localStorage.getItem(key));
}

/** How the last send of this tab went; another tab's send is none of its business. */
export function saveLastSend(outcome: unknown): void {
  sessionStorage.setItem(LAST_SEND, JSON.stringify(outcome));
}

export function readLastSend(): unknown {
  return parse(sessionStorage.getItem(LAST_SEND));
}

/** Whoever came to this tab by a recovery link is choosing a new password, and still is after a reload. */
export const startRecovery = (): void => sessionStorage.setItem(RECOVERING, "true");
export const isRecovering = (): boolean => sessionStorage.getItem(RECOVERING) !== null;
export const endRecovery = (): void => sessionStorage.removeItem(RECOVERING);

export function clearBrowserData(): Promise<void> {
  for (const key of KEYS) localStorage.removeItem(key);
  sessionStorage.clear();
  return deleteOfflineCopies();
}

/** Answered when it is gone: a page that is being left would not wait for it. */
export function deleteOfflineCopies(): Promise<void> {
  if (!("indexedDB" in window)) return Promise.resolve();
  return new Promise<void>((resolve) => {
    const asked = indexedDB.deleteDatabase(OFFLINE_DATABASE);
    for (const end of ["success", "error"]) asked.addEventListener(end, () => resolve());
    // A browser that lets nobody keep anything throws; then there is nothing to forget.
  }).catch(() => undefined);
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
