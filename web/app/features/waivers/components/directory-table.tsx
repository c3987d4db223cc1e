import { Button } from "~/ui/button";
import { RelativeTime } from "~/ui/relative-time";
import { Skeleton } from "~/ui/skeleton";
import { Status } from "~/ui/status";
import { Cell, HeadCell, Row, Table } from "~/ui/table";
import { useDownloadDocument } from "../api/download-document";
import type { DirectoryRow } from "../model";

type Props = { rows: DirectoryRow[] | undefined; onView: (row: DirectoryRow) => void };

export function DirectoryTable({ rows, onView }: Props) {
  return (
    <Table aria-label="Waivers" aria-busy={rows === undefined}>
      <thead>
        <tr>
          <HeadCell className="max-md:hidden">Template</HeadCell>
          <HeadCell>Recipient/Signer</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell className="max-sm:hidden">Date</HeadCell>
          <HeadCell>
            <span className="max-sm:sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows ? rows.map((row) => <WaiverRow key={row.id} row={row} onView={onView} />) : <LoadingRows />}
      </tbody>
    </Table>
  );
}

function WaiverRow({ row, onView }: { row: DirectoryRow; onView: Props["onView"] }) {
  return (
    <Row>
      <Cell className="max-md:hidden">{row.templateName}</Cell>
      <Cell className="max-w-0 sm:max-w-none">
        <span dir="auto" className="block truncate font-medium">
          {row.name}
        </span>
        <span className="block truncate text-sm text-ink-soft">{row.email}</span>
        <span className="block truncate text-sm text-ink-soft md:hidden">{row.templateName}</span>
      </Cell>
      <Cell className="w-0 sm:w-auto">
        <Status kind={row.status} />
      </Cell>
      <Cell className="whitespace-nowrap max-sm:hidden">
        <RelativeTime at={row.at} />
      </Cell>
      <Cell className="w-0">
        <div className="flex max-sm:flex-col">
          <Button
            variant="ghost"
            size="sm"
            onClick={() => onView(row)}
            aria-label={`View waiver of ${row.name}`}
          >
            View
          </Button>
          {row.type === "signed" && <DownloadButton row={row} />}
        </div>
      </Cell>
    </Row>
  );
}

function DownloadButton({ row }: { row: DirectoryRow }) {
  const { download, isFetching } = useDownloadDocument();
  const waiver = { id: row.id, template_name: row.templateName, signer_name: row.name };
  return (
    <Button
      variant="ghost"
      size="sm"
      busy={isFetching}
      onClick={() => void download(waiver)}
      aria-label={`Download waiver of ${row.name}`}
    >
      Download
    </Button>
  );
}

function LoadingRows() {
  return Array.from({ length: 6 }, (_, index) => (
    <Row key={index}>
      <Cell colSpan={5}>
        <Skeleton className="h-6 w-full" />
      </Cell>
    </Row>
  ));
}
