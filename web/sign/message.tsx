import { useEffect, useRef, type ReactNode } from "react";
import { Mark } from "../app/ui/logo";
import { isEmbedded } from "./embedded";

/**
 * Shows a single message. Its heading takes the focus for screen readers, but in a frame only if the frame has the
 * focus.
 */
export function Message({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isEmbedded() || document.hasFocus()) heading.current?.focus();
  }, []);
  return (
    <main className="message">
      <Mark className="stones" />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
