import {
  Ban,
  Circle,
  Download,
  Eraser,
  Eye,
  FilePlus2,
  Lock,
  LockOpen,
  Mail,
  MessageSquareText,
  Pencil,
  PenLine,
  RotateCw,
  ShieldCheck,
  type LucideIcon,
} from "lucide-react";
import { Link } from "react-router";
import { exactTime } from "~/lib/dates";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Skeleton } from "~/ui/skeleton";
import { useTimeline } from "../api/timeline";
import type { TimelineEntry } from "../timeline";

/** The icon of an event is found by its kind, or else by the part of its kind before the dot. */
const ICONS: Record<string, LucideIcon> = {
  "session.opened": FilePlus2,
  "session.viewed": Eye,
  "session.renewed": RotateCw,
  "session.erased": Eraser,
  email: Mail,
  text: MessageSquareText,
  recipient: Pencil,
  "waiver.signed": PenLine,
  "waiver.held": Lock,
  "waiver.erased": Eraser,
  waiver: Ban,
  "hold.released": LockOpen,
  "document.sealed": ShieldCheck,
  "document.downloaded": Download,
  "evidence.exported": Download,
};

/** Lists everything that was recorded about a waiver, oldest first. */
export function WaiverTimeline({ sessionId }: { sessionId: string }) {
  const { data: entries, isError, refetch } = useTimeline(sessionId);
  return (
    <Card aria-labelledby="waiver-timeline" className="p-5 sm:p-6">
      <h2 id="waiver-timeline" className="font-semibold">
        History
      </h2>
      {!entries && !isError && <Skeleton className="mt-4 h-24 w-full" />}
      {!entries && isError && (
        <p role="alert" className="mt-3 flex flex-wrap items-center gap-3 text-muted">
          The history could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      {entries?.length === 0 && <p className="mt-3 text-muted">Nothing is recorded yet.</p>}
      {entries && entries.length > 0 && (
        <ol className="mt-4 flex flex-col">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Entry({ entry: { at, kind, title, details, related } }: { entry: TimelineEntry }) {
  const Icon = ICONS[kind] ?? ICONS[kind.split(".")[0] ?? ""] ?? Circle;
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0">
      <span
        aria-hidden
        className="absolute start-4 top-8 -bottom-0 w-px -translate-x-1/2 bg-line group-last:hidden rtl:translate-x-1/2"
      />
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-muted">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 pt-1">
        <p className="font-medium">{title}</p>
        <time dateTime={at} className="block text-sm text-muted tabular-nums">
          {exactTime(new Date(at))}
        </time>
        {details.map((line) => (
          <p key={line} dir="auto" className="text-sm wrap-anywhere text-muted">
            {line}
          </p>
        ))}
        {related && (
          <Link
            to={paths.waiver(related.sessionId)}
            className="inline-flex min-h-6 items-center text-sm font-medium underline underline-offset-4"
          >
            {related.label}
          </Link>
        )}
      </div>
    </li>
  );
}
