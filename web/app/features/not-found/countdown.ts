import { useEffect, useState } from "react";

/** Counts whole seconds down to zero and then acts once; leaving the page before that cancels it. */
export function useCountdown(seconds: number, atZero: () => void): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (left > 1) setLeft(left - 1);
      else atZero();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, atZero]);
  return left;
}
