import { useRef, useState } from "react";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { saveFile } from "~/lib/save-file";
import { toast } from "~/ui/toast-store";
import { CSV_HEADER, csvRow } from "../directory-csv";
import type { DirectoryRow, Listing } from "../model";
import type { ParticipantColumns } from "../participants-csv";
import { fetchRows, type Cursor } from "./directory";

const PAGE_SIZE = 1_000;

type Source = Listing | DirectoryRow[];
type CsvFile = { name: string; header: string; lines: string[] };

/**
 * Writes either the given rows or all rows of the listing to a CSV file. If a template of the company has questions,
 * the user first chooses between one row for each waiver and one for each participant. `choice` is null
 * unless the user has to choose now.
 */
export function useExport() {
  const [rowCount, setRowCount] = useState<number | null>(null);
  const [undecided, setUndecided] = useState<Source | null>(null);
  const abortController = useRef<AbortController | null>(null);

  const save = async (collect: (signal: AbortSignal) => Promise<CsvFile | null>) => {
    const controller = new AbortController();
    abortController.current = controller;
    setRowCount(0);
    try {
      const file = await collect(controller.signal);
      if (file) saveCsv(file);
    } catch {
      if (!controller.signal.aborted) toast(FAILED_TOAST);
    }
    setRowCount(null);
  };
  const waiverFile = async (source: Source, signal: AbortSignal): Promise<CsvFile> => {
    const rows = await fetchAllRows(source, setRowCount, signal);
    return { name: "waivers.csv", header: CSV_HEADER, lines: rows.map(csvRow) };
  };
  const participantFile = async (source: Source, columns: ParticipantColumns, signal: AbortSignal) => {
    const { fetchParticipantLines } = await import("./export-participants");
    const rows = await fetchAllRows(source, setRowCount, signal);
    return { name: "participants.csv", ...(await fetchParticipantLines(rows, columns, signal)) };
  };
  const exportRows = (source: Source) =>
    save(async (signal) => {
      if (!(await hasForms(signal))) return waiverFile(source, signal);
      setUndecided(source);
      return null;
    });
  const exportChosen = (source: Source, columns: ParticipantColumns | null) => {
    setUndecided(null);
    void save((signal) => (columns ? participantFile(source, columns, signal) : waiverFile(source, signal)));
  };
  return {
    exportRows,
    rowCount,
    cancel: () => abortController.current?.abort(),
    choice: undecided && {
      /** If `columns` is null, each waiver is one row. Otherwise each participant is one row. */
      onExport: (columns: ParticipantColumns | null) => exportChosen(undecided, columns),
      onClose: () => setUndecided(null),
    },
  };
}

export type ExportChoice = NonNullable<ReturnType<typeof useExport>["choice"]>;

const FAILED_TOAST = {
  title: "The export was not finished",
  description: "The server stopped answering, so no file was saved. Please try again.",
  destructive: true,
};

function saveCsv({ name, header, lines }: CsvFile): void {
  saveFile(new Blob([header, ...lines], { type: "text/csv;charset=utf-8" }), name);
  toast({ title: "CSV exported", description: `${lines.length.toLocaleString("en")} rows in ${name}` });
}

/** Tells whether a template asks questions, or did so in an earlier version. */
async function hasForms(signal: AbortSignal): Promise<boolean> {
  const { rest } = await apiClient();
  const versions = await unwrap(
    rest
      .from("waiver_template_versions")
      .select("version")
      .not("form", "is", null)
      .limit(1)
      .abortSignal(signal),
  );
  return versions.length > 0;
}

async function fetchAllRows(source: Source, onProgress: (rowCount: number) => void, signal: AbortSignal) {
  if (Array.isArray(source)) return source;
  const rows: DirectoryRow[] = [];
  let after: Cursor = null;
  for (;;) {
    // Pages cannot be fetched in parallel, because the cursor of each page is the last row of the page before.
    // oxlint-disable-next-line no-await-in-loop
    const page: DirectoryRow[] = await fetchRows(source, after, PAGE_SIZE, signal);
    rows.push(...page);
    onProgress(rows.length);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return rows;
    after = last;
  }
}
