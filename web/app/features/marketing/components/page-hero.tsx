import type { ReactNode } from "react";
import { Terrain } from "~/ui/terrain";

type Props = { title: string; lead: ReactNode; seed: string; children?: ReactNode };

/** Renders the top of a public page. Each page has its own map drawing. The front page has a different top. */
export function PageHero({ title, lead, seed, children }: Props) {
  return (
    <section className="relative isolate overflow-hidden border-b border-line">
      <Terrain
        seed={seed}
        fade="linear-gradient(to left, #000 10%, transparent 75%)"
        className="text-forest opacity-10 sm:opacity-25"
      />
      <div className="mx-auto max-w-6xl px-4 pt-14 pb-12 sm:px-6 sm:pt-20 sm:pb-16">
        <h1 className="max-w-3xl font-display text-[2.5rem] leading-[1.06] font-bold tracking-tight sm:text-[3.25rem]">
          {title}
        </h1>
        <p className="mt-5 max-w-2xl text-lg text-pretty text-muted sm:text-xl">{lead}</p>
        {children}
      </div>
    </section>
  );
}
