import type { ReactNode } from "react";

/** One line of a `dl` with the details of a waiver. */
export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm font-normal text-muted">{name}</dt>
      <dd dir="auto" className="wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}
