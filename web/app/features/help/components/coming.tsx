import { Construction } from "lucide-react";
import type { ReactNode } from "react";
import { Notice } from "~/ui/notice";
import { ReadingPage, Section } from "./page";

type Props = { title: string; coming: ReactNode; meanwhile: ReactNode };

/** Says plainly that something is not there yet, what it will be, and what helps until then. */
export function Coming({ title, coming, meanwhile }: Props) {
  return (
    <ReadingPage title={title} intro={coming}>
      <Notice icon={Construction} title="Not here yet.">
        This page has nothing to set up so far.
      </Notice>
      <Section id="meanwhile" title="What to do meanwhile">
        {meanwhile}
      </Section>
    </ReadingPage>
  );
}
