import { Download, X } from "lucide-react";
import { Button } from "~/ui/button";
import { COUNTED_TO } from "../api/directory";
import { useExport } from "../api/export-directory";
import type { Listing } from "../model";

type Props = { listing: Listing; total: number | undefined };

/** Becomes its own progress, and the way to stop it. */
export function ExportButton({ listing, total }: Props) {
  const { exportRows, done, cancel } = useExport();
  if (done === null) {
    return (
      <Button variant="secondary" disabled={total === 0} onClick={() => void exportRows(listing)}>
        <Download aria-hidden /> Export CSV
      </Button>
    );
  }
  return (
    <Button variant="secondary" onClick={cancel} aria-label="Stop the export">
      <X aria-hidden />
      <span role="status" className="tabular-nums">
        {progress(done, total)}
      </span>
    </Button>
  );
}

function progress(done: number, total: number | undefined): string {
  const rows = done.toLocaleString("en");
  return total && total < COUNTED_TO ? `${rows} of ${total.toLocaleString("en")}` : `${rows} rows`;
}
