import { Status } from "~/ui/status";
import { Skeleton } from "~/ui/skeleton";
import { Cell, HeadCell, Row, Table } from "~/ui/table";
import type { RecentWaiver } from "../model";
import { Guest } from "./guest";
import { ViewButton } from "./view-button";

type Props = { waivers: RecentWaiver[] | undefined; onView: (waiver: RecentWaiver) => void };

/** On a narrow screen the id steps back, and what has no room beside the guest stands below. */
export function RecentWaivers({ waivers, onView }: Props) {
  return (
    <Table aria-label="Recent Waivers" aria-busy={waivers === undefined}>
      <thead>
        <tr>
          <HeadCell className="max-lg:hidden">ID</HeadCell>
          <HeadCell>Guest</HeadCell>
          <HeadCell className="max-md:hidden">Template</HeadCell>
          <HeadCell className="max-sm:hidden">Date</HeadCell>
          <HeadCell className="max-sm:hidden">Status</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {waivers
          ? waivers.map((waiver) => <WaiverRow key={waiver.id} waiver={waiver} onView={onView} />)
          : Array.from({ length: 6 }, (_, index) => <LoadingRow key={index} />)}
      </tbody>
    </Table>
  );
}

function WaiverRow({ waiver, onView }: { waiver: RecentWaiver; onView: Props["onView"] }) {
  return (
    <Row>
      <Cell className="font-mono text-sm text-muted max-lg:hidden">{waiver.shortId}</Cell>
      <Cell className="max-w-0 sm:max-w-none">
        <Guest name={waiver.guest} template={waiver.template} />
        <span className="mt-1 flex items-center gap-2 text-sm text-muted sm:hidden">
          <Status kind={waiver.status} /> {waiver.date}
        </span>
      </Cell>
      <Cell className="max-md:hidden">{waiver.template}</Cell>
      <Cell className="whitespace-nowrap text-muted max-sm:hidden">{waiver.date}</Cell>
      <Cell className="w-0 max-sm:hidden">
        <Status kind={waiver.status} />
      </Cell>
      <Cell className="w-0 ps-0 text-end sm:ps-0">
        <ViewButton guest={waiver.guest} onView={() => onView(waiver)} />
      </Cell>
    </Row>
  );
}

/** As wide and as high as a row will be, so that nothing moves when the rows come. */
function LoadingRow() {
  return (
    <Row>
      <Cell className="max-lg:hidden">
        <Skeleton className="h-4 w-16" />
      </Cell>
      <Cell className="max-sm:h-22">
        <Skeleton className="h-4 w-36" />
        <Skeleton className="mt-2 h-3.5 w-28 md:hidden" />
        <Skeleton className="mt-2.5 h-5 w-40 sm:hidden" />
      </Cell>
      <Cell className="max-md:hidden">
        <Skeleton className="h-4 w-40" />
      </Cell>
      <Cell className="max-sm:hidden">
        <Skeleton className="h-4 w-20" />
      </Cell>
      <Cell className="w-0 max-sm:hidden">
        <Skeleton className="h-6 w-20" />
      </Cell>
      <Cell className="w-0 ps-0 sm:ps-0">
        <Skeleton className="mx-3 h-4 w-8" />
      </Cell>
    </Row>
  );
}
