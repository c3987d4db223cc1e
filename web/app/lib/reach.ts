/**
 * Whether the server can be reached: what the browser says of its network, and what requests find out. `silent` is a
 * network on which the server does not answer.
 */
export type Reach = "there" | "offline" | "silent";

type Listener = () => void;

const BETWEEN_CHECKS = { silent: 5_000, offline: 30_000 };
const PATIENCE = 4_000;

let reach: Reach = "there";
let next: ReturnType<typeof setTimeout> | undefined;
let checking: Promise<void> | undefined;
const listeners = new Set<Listener>();

export const reachNow = (): Reach => reach;
export const isAway = (): boolean => reach !== "there";

export function onReach(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notices whether it is answered, and asks more closely when it is not. */
export const attentive: typeof fetch = async (input, init) => {
  const late = setTimeout(doubt, PATIENCE);
  try {
    const answer = await fetch(input, init);
    become("there");
    return answer;
  } catch (error) {
    if (!isAborted(error)) void doubt();
    throw error;
  } finally {
    clearTimeout(late);
  }
};

export const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Whatever it says, it was reached. */
export async function answers(): Promise<boolean> {
  const asked = { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) } as const;
  return fetch(`${window.location.origin}/auth/v1/health`, asked).then(
    () => true,
    () => false,
  );
}

/** Never resolves, and fails as soon as the server is out of reach: for those who must not wait longer than that. */
export function lost(): Promise<never> {
  return new Promise((_, reject) => {
    const look = () => {
      if (!isAway()) return;
      stop();
      reject(new Unreachable(unreached()));
    };
    const stop = onReach(look);
    look();
  });
}

export class Unreachable extends Error {}

/** What a person is told whose request got no answer. */
export function unreached(): string {
  return navigator.onLine
    ? "The server could not be reached."
    : "You are offline, so nothing was changed. Please try again when you are back.";
}

/** Asks whether the server is there; whoever comes meanwhile gets the same answer. */
export function doubt(): Promise<void> {
  checking ??= check().finally(() => (checking = undefined));
  return checking;
}

async function check(): Promise<void> {
  clearTimeout(next);
  if (await answers()) return become("there");
  const found = navigator.onLine ? "silent" : "offline";
  become(found);
  // Some browsers say that they are offline when they are not, and none says when a server is back.
  next = setTimeout(doubt, BETWEEN_CHECKS[found]);
}

function become(found: Reach): void {
  if (found === reach) return;
  reach = found;
  for (const tell of listeners) tell();
}

if (typeof window !== "undefined") {
  if (!navigator.onLine) reach = "offline";
  if (isAway()) void doubt();
  window.addEventListener("online", () => void (isAway() && doubt()));
  window.addEventListener("offline", () => {
    become("offline");
    void doubt();
  });
}
