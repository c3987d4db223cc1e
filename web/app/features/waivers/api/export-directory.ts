import { useRef, useState } from "react";
import { saveFile } from "~/lib/save-file";
import { toast } from "~/ui/toast-store";
import { csvHead, csvRow, type DirectoryRow, type Listing } from "../model";
import { fetchRows, type After } from "./directory";

const PAGE_SIZE = 1_000;

/** Writes either the given rows or all rows of the listing to a CSV file. */
export function useExport() {
  const [done, setDone] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  const exportRows = async (source: Listing | DirectoryRow[]) => {
    const { signal } = (running.current = new AbortController());
    setDone(0);
    try {
      const lines = Array.isArray(source) ? source.map(csvRow) : await fetchAllLines(source, setDone, signal);
      saveFile(new Blob([csvHead, ...lines], { type: "text/csv;charset=utf-8" }), "waivers.csv");
      toast({
        title: "CSV exported",
        description: `${lines.length.toLocaleString("en")} rows in waivers.csv`,
      });
    } catch {
      if (!signal.aborted) toast(FAILED);
    }
    setDone(null);
  };
  return { exportRows, done, cancel: () => running.current?.abort() };
}

const FAILED = {
  title: "The export was not finished",
  description: "The server stopped answering, so no file was saved. Please try again.",
  destructive: true,
};

async function fetchAllLines(listing: Listing, onProgress: (rows: number) => void, signal: AbortSignal) {
  const lines: string[] = [];
  let after: After = null;
  for (;;) {
    // The cursor of each page is the last row of the page before.
    // oxlint-disable-next-line no-await-in-loop
    const page: DirectoryRow[] = await fetchRows(listing, after, PAGE_SIZE, signal);
    lines.push(...page.map(csvRow));
    onProgress(lines.length);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return lines;
    after = last;
  }
}
