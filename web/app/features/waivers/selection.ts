import { useCallback, useState } from "react";
import type { DirectoryRow } from "./model";

export type Selection = {
  rows: DirectoryRow[];
  has: (row: DirectoryRow) => boolean;
  toggle: (row: DirectoryRow) => void;
  set: (rows: DirectoryRow[]) => void;
};

type Chosen = { list: string; rows: ReadonlyMap<string, DirectoryRow> };

/** Rows of one list chosen for something to be done with all of them. Another list begins with none. */
export function useSelection(list: string): Selection {
  const [chosen, setChosen] = useState<Chosen>({ list, rows: new Map() });
  const current = chosen.list === list ? chosen.rows : new Map<string, DirectoryRow>();
  // The same function from row to row and frame to frame, so that a row that did not change is not drawn again.
  const toggle = useCallback(
    (row: DirectoryRow) =>
      setChosen((before) => {
        const rows = new Map(before.list === list ? before.rows : []);
        if (!rows.delete(row.id)) rows.set(row.id, row);
        return { list, rows };
      }),
    [list],
  );
  return {
    rows: [...current.values()],
    has: ({ id }) => current.has(id),
    toggle,
    set: (rows) => setChosen({ list, rows: new Map(rows.map((row) => [row.id, row])) }),
  };
}
