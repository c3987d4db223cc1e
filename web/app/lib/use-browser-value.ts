import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/**
 * Returns a value that only the browser knows, for example from its storage. `read` is called at every render. Until a
 * prerendered page is hydrated, `prerenderedValue` is used instead, so that the HTML matches.
 */
export function useBrowserValue<Value>(read: () => Value, prerenderedValue: Value): Value {
  return useSyncExternalStore(subscribeToNothing, read, () => prerenderedValue);
}

const readTrue = () => true;

/** Returns false while the page is prerendered and hydrated, and true afterwards. */
export const useIsInBrowser = (): boolean => useBrowserValue(readTrue, false);
