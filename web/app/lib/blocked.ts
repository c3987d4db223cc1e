/**
 * A request that never left the browser, because something in it or before it was in the way, looks like a lost
 * network. The two are told apart by asking the same server something else.
 */
import { isServerResponding, isAborted } from "./reach";

type Listener = () => void;

export class RequestBlocked extends Error {}

const listeners = new Set<Listener>();

/** Told when the server can be reached and only the functions cannot. */
export function onBlocked(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function detectBlocked(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await ask(input, init);
    } catch (error) {
      if (isAborted(error) || !(await isServerResponding())) throw error;
      for (const tell of listeners) tell();
      throw new RequestBlocked("The browser blocked the request.", { cause: error });
    }
  };
}
