import { useRef, useState } from "react";
import { saveFile } from "~/lib/save-file";
import { toast } from "~/ui/toast-store";
import { csvHead, csvRow, type DirectoryRow, type Listing } from "../model";
import { fetchRows, type After } from "./directory";

const HELPING = 1_000;

/** Writes rows to a CSV file: those chosen, or else all that match, however many pages they fill. */
export function useExport() {
  const [done, setDone] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  const exportRows = async (source: Listing | DirectoryRow[]) => {
    const { signal } = (running.current = new AbortController());
    setDone(0);
    try {
      const lines = Array.isArray(source) ? source.map(csvRow) : await allLines(source, setDone, signal);
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

async function allLines(listing: Listing, onProgress: (rows: number) => void, signal: AbortSignal) {
  const lines: string[] = [];
  let after: After = null;
  for (;;) {
    // Each page is asked for by the last row of the one before.
    // oxlint-disable-next-line no-await-in-loop
    const page: DirectoryRow[] = await fetchRows(listing, after, HELPING, signal);
    lines.push(...page.map(csvRow));
    onProgress(lines.length);
    const last = page.at(-1);
    if (!last || page.length < HELPING) return lines;
    after = last;
  }
}
