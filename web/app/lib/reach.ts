/**
 * Whether the server can be reached: what the browser says of its network, and what requests find out. `unresponsive` is a
 * network on which the server does not answer.
 */
export type Reach = "online" | "offline" | "unresponsive";

type Listener = () => void;

const BETWEEN_CHECKS = { unresponsive: 5_000, offline: 30_000 };
const PATIENCE = 4_000;

let reach: Reach = "online";
let next: ReturnType<typeof setTimeout> | undefined;
let checking: Promise<void> | undefined;
const listeners = new Set<Listener>();

export const currentReach = (): Reach => reach;
export const isUnreachable = (): boolean => reach !== "online";

export function onReachChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notices whether it is answered, and asks more closely when it is not. */
export const trackedFetch: typeof fetch = async (input, init) => {
  const late = setTimeout(recheck, PATIENCE);
  try {
    const answer = await fetch(input, init);
    setReach("online");
    return answer;
  } catch (error) {
    if (!isAborted(error)) void recheck();
    throw error;
  } finally {
    clearTimeout(late);
  }
};

export const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Whatever it says, it was reached. */
export async function isServerResponding(): Promise<boolean> {
  const asked = { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) } as const;
  return fetch(`${window.location.origin}/auth/v1/health`, asked).then(
    () => true,
    () => false,
  );
}

/** Never resolves, and fails as soon as the server is out of reach: for those who must not wait longer than that. */
export function rejectWhenUnreachable(): Promise<never> {
  return new Promise((_, reject) => {
    const look = () => {
      if (!isUnreachable()) return;
      stop();
      reject(new Unreachable(unreachableMessage()));
    };
    const stop = onReachChange(look);
    look();
  });
}

export class Unreachable extends Error {}

/** What a person is told whose request got no answer. */
export function unreachableMessage(): string {
  return navigator.onLine
    ? "The server could not be reached."
    : "You are offline, so nothing was changed. Please try again when you are back.";
}

/** Asks whether the server is there; whoever comes meanwhile gets the same answer. */
export function recheck(): Promise<void> {
  checking ??= check().finally(() => (checking = undefined));
  return checking;
}

async function check(): Promise<void> {
  clearTimeout(next);
  if (await isServerResponding()) return setReach("online");
  const found = navigator.onLine ? "unresponsive" : "offline";
  setReach(found);
  // Some browsers say that they are offline when they are not, and none says when a server is back.
  next = setTimeout(recheck, BETWEEN_CHECKS[found]);
}

function setReach(found: Reach): void {
  if (found === reach) return;
  reach = found;
  for (const tell of listeners) tell();
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
