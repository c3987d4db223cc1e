/** Acts at once, then at most once in each interval, and never forgets the last call. */
export function throttle(act: () => void, interval: number): () => void {
  let resting = false;
  let called = false;
  const wake = () => {
    resting = false;
    if (!called) return;
    called = false;
    run();
  };
  const run = () => {
    if (resting) {
      called = true;
      return;
    }
    resting = true;
    act();
    setTimeout(wake, interval);
  };
  return run;
}
