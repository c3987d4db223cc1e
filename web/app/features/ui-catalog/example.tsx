import type { ReactNode } from "react";

export function Example({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h2 className="border-b border-line pb-1 text-sm font-semibold text-muted">{name}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  );
}
