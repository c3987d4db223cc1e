import { BellRing, Download, X } from "lucide-react";
import { Button } from "~/ui/button";
import { useExport } from "../api/export-directory";
import { useSendReminders } from "../api/send-reminders";
import type { Selection } from "../use-selection";
import { ExportChoiceDialog } from "./export-choice-dialog";

/** Shows the actions for the selected rows at the bottom of the screen, where the thumb can reach them. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const reminders = useSendReminders();
  const { exportRows, choice } = useExport();
  const pendingRows = selection.rows.filter(({ status }) => status === "pending");
  const remind = () =>
    reminders.mutate(
      pendingRows.map(({ sessionId }) => sessionId),
      { onSuccess: () => selection.set([]) },
    );
  return (
    <div
      role="toolbar"
      aria-label="Selected waivers"
      className="sticky bottom-4 z-20 mx-auto flex w-fit max-w-full animate-rise items-center justify-center gap-1.5 rounded-card border border-line bg-surface p-2 ps-3.5 sm:gap-2 shadow-lift"
    >
      <p role="status" className="text-sm font-medium whitespace-nowrap tabular-nums">
        {selection.rows.length.toLocaleString("en")} selected
      </p>
      <Button size="sm" disabled={pendingRows.length === 0} busy={reminders.isPending} onClick={remind}>
        {!reminders.isPending && <BellRing className="max-sm:hidden" aria-hidden />} Remind{" "}
        {pendingRows.length || ""}
      </Button>
      <Button size="sm" variant="secondary" onClick={() => void exportRows(selection.rows)}>
        <Download className="max-sm:hidden" aria-hidden />
        <span>
          Export<span className="max-sm:sr-only"> CSV</span>
        </span>
      </Button>
      <Button size="icon" variant="ghost" aria-label="Clear selection" onClick={() => selection.set([])}>
        <X aria-hidden />
      </Button>
      <ExportChoiceDialog choice={choice} />
    </div>
  );
}
