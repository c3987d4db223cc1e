/**
 * Tracks whether the server can be reached, from the browser's network state and from the outcome of requests.
 * `unresponsive` means that there is a network but the server does not respond.
 */
export type Reach = "online" | "offline" | "unresponsive";

type Listener = () => void;

const CHECK_INTERVALS = { unresponsive: 5_000, offline: 30_000 };
const TIMEOUT = 4_000;

let reach: Reach = "online";
let nextCheck: ReturnType<typeof setTimeout> | undefined;
let checking: Promise<void> | undefined;
const listeners = new Set<Listener>();

export const currentReach = (): Reach => reach;
export const isUnreachable = (): boolean => reach !== "online";

export function onReachChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Like fetch, but updates the reach, and rechecks it when a request fails or takes long. */
export const trackedFetch: typeof fetch = async (input, init) => {
  const timer = setTimeout(recheck, TIMEOUT);
  try {
    const response = await fetch(input, init);
    setReach("online");
    return response;
  } catch (error) {
    if (!isAborted(error)) void recheck();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

export const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Any response counts, whatever its status. */
export async function isServerResponding(): Promise<boolean> {
  const init = { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) } as const;
  return fetch(`${window.location.origin}/auth/v1/health`, init).then(
    () => true,
    () => false,
  );
}

/** Never resolves, and rejects as soon as the server is unreachable. Race it with a request that must not hang. */
export function rejectWhenUnreachable(): Promise<never> {
  return new Promise((_, reject) => {
    const rejectIfUnreachable = () => {
      if (!isUnreachable()) return;
      unsubscribe();
      reject(new Unreachable(unreachableMessage()));
    };
    const unsubscribe = onReachChange(rejectIfUnreachable);
    rejectIfUnreachable();
  });
}

export class Unreachable extends Error {}

/** The message for a user whose request got no response. */
export function unreachableMessage(): string {
  return navigator.onLine
    ? "The server could not be reached."
    : "You are offline, so nothing was changed. Please try again when you are back.";
}

/** Checks whether the server responds. Concurrent calls share one check. */
export function recheck(): Promise<void> {
  checking ??= check().finally(() => (checking = undefined));
  return checking;
}

async function check(): Promise<void> {
  clearTimeout(nextCheck);
  if (await isServerResponding()) return setReach("online");
  const found = navigator.onLine ? "unresponsive" : "offline";
  setReach(found);
  // Some browsers report that they are offline when they are not, and none reports that a server is back.
  nextCheck = setTimeout(recheck, CHECK_INTERVALS[found]);
}

function setReach(next: Reach): void {
  if (next === reach) return;
  reach = next;
  for (const notify of listeners) notify();
}

if (typeof window !== "undefined") {
  if (!navigator.onLine) reach = "offline";
  if (isUnreachable()) void recheck();
  window.addEventListener("online", () => void (isUnreachable() && recheck()));
  window.addEventListener("offline", () => {
    setReach("offline");
    void recheck();
  });
}
