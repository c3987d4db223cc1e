import { cx } from "class-variance-authority";

/** Shows a placeholder while content is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx("skeleton rounded-lg bg-line/60", className)} />;
}

/** Shows several placeholders below each other. `lines` contains the CSS classes of each one. */
export function SkeletonLines({ lines, className }: { lines: string[]; className: string }) {
  return (
    <div aria-hidden className={className}>
      {lines.map((line, index) => (
        <Skeleton key={index} className={line} />
      ))}
    </div>
  );
}
