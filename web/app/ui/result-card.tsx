import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "./card";
import { MutedLines } from "./muted-lines";

type Props = {
  icon: LucideIcon;
  title: string;
  lines: string[];
  isFailure: boolean;
  /** The links and buttons for what to do next. */
  children: ReactNode;
};

/** Shows the outcome of an action on a page inside the frame of the app, which signed-in companies see. */
export function ResultCard({ icon: Icon, title, lines, isFailure, children }: Props) {
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-5 p-5 sm:p-6">
      <div role="status" className="flex min-w-0 grow basis-72 items-start gap-4">
        <Icon
          className={`size-9 shrink-0 ${isFailure ? "text-red" : "text-forest"}`}
          strokeWidth={1.5}
          aria-hidden
        />
        <div className="min-w-0">
          <h1 className="text-2xl leading-9 font-semibold tracking-tight">{title}</h1>
          <MutedLines lines={lines} className="mt-1" />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </Card>
  );
}
