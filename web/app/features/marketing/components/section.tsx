import { cx } from "class-variance-authority";
import type { ReactNode } from "react";

type Props = { id?: string; title: string; lead?: ReactNode; children: ReactNode; className?: string };

export function Section({ id, title, lead, children, className }: Props) {
  return (
    <section id={id} className={cx("mx-auto max-w-6xl px-4 py-18 sm:px-6 sm:py-24", className)}>
      <SectionHeading title={title} lead={lead} />
      <div className="mt-10 sm:mt-12">{children}</div>
    </section>
  );
}

export function SectionHeading({ title, lead }: { title: string; lead?: ReactNode }) {
  return (
    <div className="max-w-2xl">
      <h2 className="font-display text-3xl leading-tight font-bold tracking-tight sm:text-[2.5rem]">
        {title}
      </h2>
      {lead && <p className="mt-3 text-lg text-pretty text-muted">{lead}</p>}
    </div>
  );
}
