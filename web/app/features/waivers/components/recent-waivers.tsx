import type { ReactNode } from "react";
import { spokenTime } from "~/lib/dates";
import { useNow } from "~/lib/use-now";
import { Status } from "~/ui/status";
import { Skeleton } from "~/ui/skeleton";
import { Cell, HeadCell, Row, Table } from "~/ui/table";
import type { RecentSession } from "../model";
import { ViewButton } from "./view-button";

type Props = { sessions: RecentSession[] | undefined; onView: (session: RecentSession) => void };

/**
 * The name of the guest comes first and is the largest. On a narrow screen the id is hidden, and the other columns appear
 * below the name.
 */
export function RecentWaivers({ sessions, onView }: Props) {
  return (
    <Table aria-label="Recent Waivers" aria-busy={sessions === undefined}>
      <thead>
        <tr>
          <HeadCell>Guest</HeadCell>
          <HeadCell className="max-md:hidden">Template</HeadCell>
          <HeadCell className="max-sm:hidden">Date</HeadCell>
          <HeadCell className="max-xl:hidden">ID</HeadCell>
          <HeadCell className="max-sm:hidden">Status</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {sessions
          ? sessions.map((session) => <SessionRow key={session.id} session={session} onView={onView} />)
          : Array.from({ length: 6 }, (_, index) => <LoadingRow key={index} />)}
      </tbody>
    </Table>
  );
}

function SessionRow({ session, onView }: { session: RecentSession; onView: Props["onView"] }) {
  return (
    <Row>
      <Cell className="max-w-0 sm:max-w-none">
        <span dir="auto" className="block text-lg font-medium wrap-break-word">
          {session.guest}
        </span>
        <span className="block truncate text-sm text-muted md:hidden">{session.template}</span>
        <span className="mt-1 flex items-center gap-2 text-sm text-muted sm:hidden">
          <Status kind={session.status} /> <SessionDate session={session} />
        </span>
      </Cell>
      <Cell className="max-md:hidden">{session.template}</Cell>
      <Cell className="text-sm whitespace-nowrap text-muted max-sm:hidden">
        <SessionDate session={session} />
      </Cell>
      <Cell className="font-mono text-sm text-muted max-xl:hidden">{session.shortId}</Cell>
      <Cell className="w-0 max-sm:hidden">
        <Status kind={session.status} />
      </Cell>
      <Cell className="w-0 ps-0 text-end sm:ps-0">
        <ViewButton guest={session.guest} onView={() => onView(session)} />
      </Cell>
    </Row>
  );
}

function SessionDate({ session }: { session: RecentSession }) {
  const now = useNow();
  return (
    <time dateTime={session.createdAt} title={spokenTime(new Date(session.createdAt), now)}>
      {session.date}
    </time>
  );
}

/** This row has the size of a real row, so that the layout does not shift when the rows arrive. */
function LoadingRow() {
  return (
    <Row>
      <LoadingCell className="max-sm:h-22" bar="h-5 w-36">
        <Skeleton className="mt-2 h-3.5 w-28 md:hidden" />
        <Skeleton className="mt-2.5 h-5 w-40 sm:hidden" />
      </LoadingCell>
      <LoadingCell className="max-md:hidden" bar="h-4 w-40" />
      <LoadingCell className="max-sm:hidden" bar="h-4 w-20" />
      <LoadingCell className="max-xl:hidden" bar="h-4 w-16" />
      <LoadingCell className="w-0 max-sm:hidden" bar="h-6 w-20" />
      <LoadingCell className="w-0 ps-0 sm:ps-0" bar="mx-3 h-4 w-8" />
    </Row>
  );
}

function LoadingCell({ className, bar, children }: { className: string; bar: string; children?: ReactNode }) {
  return (
    <Cell className={className}>
      <Skeleton className={bar} />
      {children}
    </Cell>
  );
}
