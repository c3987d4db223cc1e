import { cx } from "class-variance-authority";

/** A placeholder while content is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx("skeleton rounded-lg bg-line/60", className)} />;
}

/** Several placeholders below each other, given by their classes. */
export function SkeletonLines({ lines, className }: { lines: string[]; className: string }) {
  return (
    <div aria-hidden className={className}>
      {lines.map((line, index) => (
        <Skeleton key={index} className={line} />
      ))}
    </div>
  );
}
