import { useEffect, useState } from "react";

/**
 * Counts seconds down to zero and then calls `onZero`. Leaving the page earlier cancels the countdown, and so does `stop`,
 * after which `secondsLeft` is null.
 */
export function useCountdown(seconds: number, onZero: () => void) {
  const [secondsLeft, setSecondsLeft] = useState<number | null>(seconds);
  useEffect(() => {
    if (secondsLeft === null) return;
    const timer = setTimeout(() => {
      if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
      else onZero();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, onZero]);
  return { secondsLeft, stop: () => setSecondsLeft(null) };
}
