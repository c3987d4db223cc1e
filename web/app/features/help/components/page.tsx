import type { ReactNode } from "react";
import { Card } from "~/ui/card";
import { PageHeader } from "~/ui/page-header";

type Props = { title: string; intro: ReactNode; children: ReactNode };

/** Lays out a page of text in one narrow column. */
export function ReadingPage({ title, intro, children }: Props) {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader title={title}>{intro}</PageHeader>
      {children}
    </div>
  );
}

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Card aria-labelledby={id} className="p-5 sm:p-6">
      <h2 id={id} className="scroll-mt-24 text-lg font-semibold">
        {title}
      </h2>
      <div className="mt-3 flex flex-col gap-3 leading-relaxed [&_a]:font-medium [&_a]:text-forest-text [&_a]:underline [&_a]:underline-offset-4 [&_code]:rounded [&_code]:bg-sunken [&_code]:px-1 [&_code]:text-[0.9em] [&_kbd]:rounded [&_kbd]:border [&_kbd]:border-line [&_kbd]:px-1.5 [&_kbd]:font-sans [&_kbd]:text-sm [&_li]:mt-1.5 [&_ol]:list-decimal [&_ol]:ps-6 [&_ul]:list-disc [&_ul]:ps-6">
        {children}
      </div>
    </Card>
  );
}
