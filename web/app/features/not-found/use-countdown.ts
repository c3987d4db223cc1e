import { useEffect, useState } from "react";

/** Counts seconds down to zero and then calls `onZero`. Leaving the page earlier cancels the countdown. */
export function useCountdown(seconds: number, onZero: () => void): number {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
      else onZero();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, onZero]);
  return secondsLeft;
}
