import { cx } from "class-variance-authority";

/** The path draws a cairn of four stones in a square of 24 by 24. */
export const CAIRN_PATH =
  "M2.6 19.4c.1-2 3.7-3 9-3s9.5.8 9.8 2.8c.2 2-3.5 2.9-9.3 2.9-5.9 0-9.6-.8-9.5-2.7Zm3.3-5.6c.2-1.7 2.9-2.7 6.8-2.7 4 0 6.9.8 7 2.4.1 1.7-2.6 2.4-6.9 2.4-4.4 0-7.1-.5-6.9-2.1Zm.9-4.7c0-1.5 2-2.5 4.9-2.5 2.8 0 4.8.8 4.8 2.2 0 1.5-1.9 2-4.7 2-3 0-5-.3-5-1.7Zm2.7-4.6c.1-1.4 1.4-2.5 3.3-2.5 1.8 0 3 .9 3 2.2 0 1.4-1.3 2-3.2 2-2 0-3.2-.4-3.1-1.7Z";

/** Shows the logo without the name. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} fill="currentColor" aria-hidden>
      <path d={CAIRN_PATH} />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-2 font-display text-xl font-semibold tracking-tight",
        className,
      )}
    >
      <Mark className="size-7 text-forest" />
      Cairn
    </span>
  );
}
