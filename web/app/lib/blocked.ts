/**
 * A request that a browser extension or a filter blocks fails with the same error as a request without a network. A
 * second request to the same server shows which of the two happened.
 */
import { isAborted, isServerResponding } from "./connection";

type Listener = () => void;

export class RequestBlocked extends Error {}

const listeners = new Set<Listener>();

/** Calls the listener when the server responds but a function call was blocked. Returns the unsubscribe function. */
export function onBlocked(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Wraps fetch so that a blocked request rejects with `RequestBlocked` and notifies the listeners. */
export function detectBlocked(request: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await request(input, init);
    } catch (error) {
      if (isAborted(error) || !(await isServerResponding())) throw error;
      for (const notify of listeners) notify();
      throw new RequestBlocked("The browser blocked the request.", { cause: error });
    }
  };
}
