/**
 * Returns a function that runs the action at most once per interval. Calls during an interval cause one more run at its
 * end.
 */
export function throttle(action: () => void, intervalMs: number): () => void {
  let isWaiting = false;
  let isRequested = false;
  const endInterval = () => {
    isWaiting = false;
    if (!isRequested) return;
    isRequested = false;
    run();
  };
  const run = () => {
    if (isWaiting) {
      isRequested = true;
      return;
    }
    isWaiting = true;
    action();
    setTimeout(endInterval, intervalMs);
  };
  return run;
}
