import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Skeleton } from "~/ui/skeleton";
import { useHistory } from "../api/history";
import type { HistoryEntry } from "../history";

/** Lists everything that was recorded about a waiver, oldest first. */
export function WaiverHistory({ sessionId }: { sessionId: string }) {
  const { data: entries, isError, refetch } = useHistory(sessionId);
  return (
    <section aria-labelledby="waiver-history" className="mt-6">
      <h3 id="waiver-history" className="font-semibold">
        History
      </h3>
      {!entries && !isError && <Skeleton className="mt-3 h-24 w-full" />}
      {!entries && isError && (
        <p role="alert" className="mt-2 flex flex-wrap items-center gap-3 text-muted">
          The history could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      {entries?.length === 0 && <p className="mt-2 text-muted">Nothing is recorded yet.</p>}
      {entries && entries.length > 0 && (
        <ol className="mt-3 flex flex-col gap-3 border-s border-line ps-4">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Entry({ entry: { at, title, details } }: { entry: HistoryEntry }) {
  return (
    <li>
      <p className="flex flex-col justify-between gap-x-4 sm:flex-row">
        <span className="font-medium">{title}</span>
        <time dateTime={at} className="text-sm text-muted tabular-nums">
          {exactTime(new Date(at))}
        </time>
      </p>
      {details.map((line) => (
        <p key={line} dir="auto" className="text-sm wrap-anywhere text-muted">
          {line}
        </p>
      ))}
    </li>
  );
}
