import { cx } from "class-variance-authority";

type Props = { seed: string; fade: string; className: string };

/**
 * Contour lines behind a part of a page, in the colour of its text. `seed` must be one of the drawings in
 * content/public-pages.ts, `fade` is a gradient that says where the lines are seen.
 */
export function Terrain({ seed, fade, className }: Props) {
  return (
    <div
      aria-hidden
      className={cx("absolute inset-0 -z-10 bg-current", className)}
      style={{
        mask: `url(/art/${seed}.svg) center / cover no-repeat, ${fade}`,
        maskComposite: "intersect",
      }}
    />
  );
}
