import { useRef, useState } from "react";
import { saveFile } from "~/lib/save-file";
import { toast } from "~/ui/toast-store";
import { CSV_HEADER, csvRow, type DirectoryRow, type Listing } from "../model";
import { fetchRows, type Cursor } from "./directory";

const PAGE_SIZE = 1_000;

/** Writes either the given rows or all rows of the listing to a CSV file. */
export function useExport() {
  const [rowCount, setRowCount] = useState<number | null>(null);
  const abortController = useRef<AbortController | null>(null);

  const exportRows = async (source: Listing | DirectoryRow[]) => {
    const controller = new AbortController();
    abortController.current = controller;
    const { signal } = controller;
    setRowCount(0);
    try {
      const lines = Array.isArray(source)
        ? source.map(csvRow)
        : await fetchAllLines(source, setRowCount, signal);
      saveFile(new Blob([CSV_HEADER, ...lines], { type: "text/csv;charset=utf-8" }), "waivers.csv");
      toast({
        title: "CSV exported",
        description: `${lines.length.toLocaleString("en")} rows in waivers.csv`,
      });
    } catch {
      if (!signal.aborted) toast(FAILED_TOAST);
    }
    setRowCount(null);
  };
  return { exportRows, rowCount, cancel: () => abortController.current?.abort() };
}

const FAILED_TOAST = {
  title: "The export was not finished",
  description: "The server stopped answering, so no file was saved. Please try again.",
  destructive: true,
};

async function fetchAllLines(listing: Listing, onProgress: (rowCount: number) => void, signal: AbortSignal) {
  const lines: string[] = [];
  let after: Cursor = null;
  for (;;) {
    // Pages cannot be fetched in parallel, because the cursor of each page is the last row of the page before.
    // oxlint-disable-next-line no-await-in-loop
    const page: DirectoryRow[] = await fetchRows(listing, after, PAGE_SIZE, signal);
    lines.push(...page.map(csvRow));
    onProgress(lines.length);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return lines;
    after = last;
  }
}
