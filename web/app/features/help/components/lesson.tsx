import type { ReactNode } from "react";
import { Card } from "~/ui/card";
import { LessonVideo, type VideoName } from "./lesson-video";

type Props = {
  id: VideoName;
  title: string;
  children: ReactNode;
};

/** Shows the video of a lesson, and its steps below. */
export function Lesson({ id, title, children }: Props) {
  return (
    <Card aria-labelledby={id} className="p-5 sm:p-6">
      <h2 id={id} className="scroll-mt-24 text-lg font-semibold">
        {title}
      </h2>
      <LessonVideo name={id} label={title} />
      <ol className="mt-5 flex list-decimal flex-col gap-2 ps-6 leading-relaxed marker:font-semibold marker:text-forest-text [&_a]:font-medium [&_a]:text-forest-text [&_a]:underline [&_a]:underline-offset-4">
        {children}
      </ol>
    </Card>
  );
}
