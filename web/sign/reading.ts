import { useEffect, useRef, useState } from "react";
import type { Ask } from "./rest";

/** How the words were looked at: evidence, never a condition. */
export type Reading = { first_viewed_at: string; last_viewed_at: string; scroll_depth: number };

/** Tells the server that the waiver was opened, and remembers how far down its words have been on screen. */
export function useReading(ask: Ask, sessionId: string | null) {
  const sheet = useRef<HTMLElement>(null);
  const [opened] = useState(() => new Date().toISOString());
  const deepest = useRef(0);

  useEffect(() => {
    const look = () => {
      deepest.current = Math.max(deepest.current, depth(sheet.current?.getBoundingClientRect()));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);

  useEffect(() => {
    if (!sessionId) return;
    // Signing goes on whether or not this was heard.
    ask("POST", "rpc/note_waiver_view", { session_id: sessionId }).catch(() => undefined);
  }, [ask, sessionId]);

  const reading = (): Reading => ({
    first_viewed_at: opened,
    last_viewed_at: new Date().toISOString(),
    scroll_depth: deepest.current,
  });
  return { sheet, reading };
}

/** Per cent of the words that have come into the window, 0 to 100. */
export function depth(box: Pick<DOMRect, "top" | "height"> | undefined): number {
  if (!box?.height) return 0;
  const seen = (innerHeight - box.top) / box.height;
  return Math.round(Math.min(Math.max(seen, 0), 1) * 100);
}
