import { cx } from "class-variance-authority";

type Props = { seed: string; fade: string; className: string };

/**
 * Shows contour lines behind a part of a page, in its text color. Unlike `ContourLines`, it shows a picture that was
 * drawn at build time, so that public pages need no script. `seed` must be one of `MAP_SEEDS` in
 * content/public-pages.ts. `fade` is a CSS gradient that masks the lines.
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
