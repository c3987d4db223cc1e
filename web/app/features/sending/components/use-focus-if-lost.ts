import { useEffect, useRef, type RefObject } from "react";

/** If the focused element disappears with a change, the keyboard continues at `target`. */
export function useFocusIfLost(target: RefObject<HTMLElement | null>, change: unknown): void {
  const lastChange = useRef(change);
  useEffect(() => {
    if (lastChange.current === change) return;
    lastChange.current = change;
    if (document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [target, change]);
}
