import { useCallback, useEffect, useRef, useState } from "react";
import type { ViewEvidence } from "../app/features/signing/signature-row";
import { percentSeen } from "../app/lib/signing";
import type { RestRequest } from "./rest";

/** Reports to the server that the waiver was opened, and records how much of its text has been on screen. */
export function useViewEvidence(request: RestRequest, sessionId: string | null) {
  const textElement = useRef<HTMLElement>(null);
  const [openedAt] = useState(() => new Date().toISOString());
  const maxScrollDepth = useRef(0);

  const measure = useCallback(() => {
    maxScrollDepth.current = Math.max(
      maxScrollDepth.current,
      scrollDepth(textElement.current?.getBoundingClientRect()),
    );
  }, []);
  // A waiver with a form shows its text in a later step, so the text is measured after every render.
  useEffect(measure);
  useEffect(() => {
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [measure]);

  useEffect(() => {
    if (!sessionId) return;
    // Signing must work even if this request fails.
    const { lang: language } = document.documentElement;
    request("POST", "rpc/note_waiver_view", { session_id: sessionId, language }).catch(() => undefined);
  }, [request, sessionId]);

  const evidence = (): ViewEvidence => ({
    first_viewed_at: openedAt,
    last_viewed_at: new Date().toISOString(),
    scroll_depth: maxScrollDepth.current,
  });
  return { textElement, evidence };
}

/** Returns the percentage of the text that is above the bottom of the window. */
export function scrollDepth(box: Pick<DOMRect, "top" | "height"> | undefined): number {
  return box ? percentSeen(innerHeight - box.top, box.height) : 0;
}
