/**
 * Later, when the page has nothing better to do; Safari cannot tell, so there it is after a moment. Returns what calls
 * it off.
 */
export function whenIdle(act: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const asked = requestIdleCallback(act, { timeout: 5_000 });
    return () => cancelIdleCallback(asked);
  }
  const asked = setTimeout(act, 2_000);
  return () => clearTimeout(asked);
}
