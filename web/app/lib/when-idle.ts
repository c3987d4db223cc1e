/**
 * Runs the action when the browser is idle, or after two seconds in Safari, which does not report idleness. Returns a
 * function that cancels it.
 */
export function whenIdle(action: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const handle = requestIdleCallback(action, { timeout: 5_000 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(action, 2_000);
  return () => clearTimeout(handle);
}
