import type { ReactNode } from "react";
import { Card } from "~/ui/card";
import { Picture, type PictureName } from "./picture";

type Props = {
  id: string;
  title: string;
  minutes: number;
  picture: PictureName;
  alt: string;
  children: ReactNode;
};

/** Shows the steps of one tutorial lesson beside a screenshot. */
export function Lesson({ id, title, minutes, picture, alt, children }: Props) {
  return (
    <Card aria-labelledby={id} className="grid gap-6 p-5 sm:p-6 lg:grid-cols-[1fr_22rem]">
      <div>
        <h2 id={id} className="scroll-mt-24 text-lg font-semibold">
          {title}
        </h2>
        <p className="text-sm text-muted">{minutes === 1 ? "1 minute" : `${minutes} minutes`}</p>
        <ol className="mt-3 flex list-decimal flex-col gap-2 ps-6 leading-relaxed marker:font-semibold marker:text-forest-text [&_a]:font-medium [&_a]:text-forest-text [&_a]:underline [&_a]:underline-offset-4">
          {children}
        </ol>
      </div>
      <Picture name={picture} alt={alt} />
    </Card>
  );
}
