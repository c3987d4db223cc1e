/**
 * Says whether the server can be reached. `unresponsive` means that there is a network but the server does not respond.
 */
export type ConnectionState = "online" | "offline" | "unresponsive";

type Listener = () => void;

const CHECK_INTERVALS_MS = { unresponsive: 5_000, offline: 30_000 };
const RESPONSE_TIMEOUT_MS = 4_000;

let currentState: ConnectionState = "online";
let nextCheck: ReturnType<typeof setTimeout> | undefined;
let runningCheck: Promise<void> | undefined;
const listeners = new Set<Listener>();

export const connectionState = (): ConnectionState => currentState;
export const isUnreachable = (): boolean => currentState !== "online";

export function onConnectionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Works like fetch, updates the connection state, and checks the server if a request fails or takes long. */
export const trackedFetch: typeof fetch = async (input, init) => {
  const timer = setTimeout(recheckConnection, RESPONSE_TIMEOUT_MS);
  try {
    const response = await fetch(input, init);
    setConnectionState("online");
    return response;
  } catch (error) {
    if (!isAborted(error)) void recheckConnection();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

export const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Tells whether the server responds. Any response counts, even an error. */
export async function isServerResponding(): Promise<boolean> {
  const init = { cache: "no-store", signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) } as const;
  return fetch(`${window.location.origin}/auth/v1/health`, init).then(
    () => true,
    () => false,
  );
}

/** Rejects as soon as the server is unreachable and never resolves. Race it with a request that must not hang. */
export function rejectWhenUnreachable(): Promise<never> {
  return new Promise((_, reject) => {
    const rejectIfUnreachable = () => {
      if (!isUnreachable()) return;
      unsubscribe();
      reject(new Unreachable(unreachableMessage()));
    };
    const unsubscribe = onConnectionChange(rejectIfUnreachable);
    rejectIfUnreachable();
  });
}

export class Unreachable extends Error {}

/** Returns the message to show if a request got no response. */
export function unreachableMessage(): string {
  return navigator.onLine
    ? "The server could not be reached."
    : "You are offline, so nothing was changed. Please try again when you are back.";
}

/** Checks whether the server responds. Concurrent calls share one check. */
export function recheckConnection(): Promise<void> {
  runningCheck ??= updateConnectionState().finally(() => (runningCheck = undefined));
  return runningCheck;
}

async function updateConnectionState(): Promise<void> {
  clearTimeout(nextCheck);
  if (await isServerResponding()) return setConnectionState("online");
  const state = navigator.onLine ? "unresponsive" : "offline";
  setConnectionState(state);
  // Some browsers wrongly report that they are offline, and no browser reports that a server responds again. The app
  // therefore checks again later.
  nextCheck = setTimeout(recheckConnection, CHECK_INTERVALS_MS[state]);
}

function setConnectionState(next: ConnectionState): void {
  if (next === currentState) return;
  currentState = next;
  for (const notify of listeners) notify();
}

if (typeof window !== "undefined") {
  if (!navigator.onLine) currentState = "offline";
  if (isUnreachable()) void recheckConnection();
  window.addEventListener("online", () => {
    if (isUnreachable()) void recheckConnection();
  });
  window.addEventListener("offline", () => {
    setConnectionState("offline");
    void recheckConnection();
  });
}
