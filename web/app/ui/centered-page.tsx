import type { ReactNode } from "react";
import { ContourLines } from "./contour-lines";

type Props = { seed: string; children: ReactNode };

/** Fills the screen with one centered message on a background of contour lines, which depend on the `seed`. */
export function CenteredPage({ seed, children }: Props) {
  return (
    <main className="relative isolate grid min-h-dvh place-items-center overflow-hidden px-5 py-16 text-center">
      <ContourLines
        seed={seed}
        className="absolute inset-0 -z-10 size-full text-forest opacity-25 [mask-image:radial-gradient(circle_at_center,transparent_20%,black_80%)]"
      />
      {children}
    </main>
  );
}
