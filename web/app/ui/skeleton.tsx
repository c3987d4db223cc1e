import { cx } from "class-variance-authority";

/** A placeholder while content is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx("skeleton rounded-lg bg-line/60", className)} />;
}
