import type { ReactNode } from "react";

/** These classes style the plain elements in running text. */
export const PROSE =
  "[&_a]:font-medium [&_a]:text-forest-text [&_a]:underline [&_a]:underline-offset-4 [&_h2]:mt-12 [&_h2]:font-display [&_h2]:text-2xl [&_h2]:font-bold [&_h2]:tracking-tight [&_h2:first-child]:mt-0 [&_li]:mt-2 [&_p]:mt-4 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:ps-6 [&_ul]:marker:text-forest";

/** Renders running text with a comfortable line length. */
export function Prose({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto max-w-6xl px-4 py-14 sm:px-6 sm:py-18">
      <div className={`max-w-[68ch] text-[1.0625rem] leading-relaxed ${PROSE}`}>{children}</div>
    </div>
  );
}
