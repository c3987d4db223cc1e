import { Download, X } from "lucide-react";
import { Button } from "~/ui/button";
import { MAX_COUNT } from "../api/directory";
import { useExport } from "../api/export-directory";
import type { Listing } from "../model";
import { ExportChoiceDialog } from "./export-choice-dialog";

type Props = { listing: Listing; total: number | undefined };

/** While an export runs, the button shows its progress and cancels it. */
export function ExportButton({ listing, total }: Props) {
  const { exportRows, rowCount, cancel, choice } = useExport();
  if (rowCount === null) {
    return (
      <>
        <Button variant="secondary" disabled={total === 0} onClick={() => void exportRows(listing)}>
          <Download aria-hidden /> Export CSV
        </Button>
        <ExportChoiceDialog choice={choice} />
      </>
    );
  }
  return (
    <Button variant="secondary" onClick={cancel} aria-label="Stop the export">
      <X aria-hidden />
      <span role="status" className="tabular-nums">
        {progressText(rowCount, total)}
      </span>
    </Button>
  );
}

function progressText(rowCount: number, total: number | undefined): string {
  const rows = rowCount.toLocaleString("en");
  return total && total < MAX_COUNT ? `${rows} of ${total.toLocaleString("en")}` : `${rows} rows`;
}
