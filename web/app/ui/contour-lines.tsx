import { useMemo } from "react";
import { contours } from "~/lib/terrain";

type Props = { seed: string; className?: string; levels?: number };

/** Draws a decorative map section that is different for every seed. */
export function ContourLines({ seed, className, levels = 9 }: Props) {
  const lines = useMemo(() => contours(seed, 800, 480, levels), [seed, levels]);
  return (
    <svg
      viewBox="0 0 800 480"
      preserveAspectRatio="xMidYMid slice"
      className={className}
      aria-hidden
      fill="none"
    >
      {lines.map((line, index) => (
        <path
          key={line}
          d={line}
          stroke="currentColor"
          strokeWidth={index % 4 === 3 ? 1.6 : 0.9}
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}
