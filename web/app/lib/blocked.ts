/**
 * A request that never left the browser, because something in it or before it was in the way, looks like a lost
 * network. The two are told apart by asking the same server something else.
 */
type Listener = () => void;

export class RequestBlocked extends Error {}

const listeners = new Set<Listener>();

/** Told when the server can be reached and only the functions cannot. */
export function whenBlocked(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noticingBlocks(origin: string, ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await ask(input, init);
    } catch (error) {
      if (isAborted(error) || !(await answers(origin))) throw error;
      for (const tell of listeners) tell();
      throw new RequestBlocked("The browser blocked the request.", { cause: error });
    }
  };
}

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** Whatever it says, it was reached. */
async function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/auth/v1/health`, { cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
