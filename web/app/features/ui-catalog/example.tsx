import type { ReactNode } from "react";

/** A piece with its name over it. */
export function Example({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h2 className="border-b border-line pb-1 text-sm font-semibold text-muted">{name}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  );
}
