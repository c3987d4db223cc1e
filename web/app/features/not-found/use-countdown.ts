import { useEffect, useState } from "react";

/** Counts seconds down to zero and then calls `onZero` once; leaving the page earlier cancels it. */
export function useCountdown(seconds: number, onZero: () => void): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (left > 1) setLeft(left - 1);
      else onZero();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, onZero]);
  return left;
}
