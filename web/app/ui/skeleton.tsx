import { cx } from "class-variance-authority";

/** The shape of what is coming. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx("skeleton rounded-lg bg-line/60", className)} />;
}
