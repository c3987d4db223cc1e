/** Later, when the page has nothing better to do; Safari cannot tell, so there it is after a moment. */
export function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: 5_000 });
  else setTimeout(act, 2_000);
}
