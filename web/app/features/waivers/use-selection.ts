import { useCallback, useState } from "react";
import type { DirectoryRow } from "./model";

export type Selection = {
  rows: DirectoryRow[];
  has: (row: DirectoryRow) => boolean;
  toggle: (row: DirectoryRow) => void;
  set: (rows: DirectoryRow[]) => void;
};

type SelectedRows = { listKey: string; rows: ReadonlyMap<string, DirectoryRow> };

/** Manages the selected rows of one list. A different list starts with no selection. */
export function useSelection(listKey: string): Selection {
  const [selected, setSelected] = useState<SelectedRows>({ listKey, rows: new Map() });
  const current = selected.listKey === listKey ? selected.rows : new Map<string, DirectoryRow>();
  // The function is stable, so that memoised rows that did not change are not rendered again.
  const toggle = useCallback(
    (row: DirectoryRow) =>
      setSelected((previous) => {
        const rows = new Map(previous.listKey === listKey ? previous.rows : []);
        if (!rows.delete(row.id)) rows.set(row.id, row);
        return { listKey, rows };
      }),
    [listKey],
  );
  return {
    rows: [...current.values()],
    has: ({ id }) => current.has(id),
    toggle,
    set: (rows) => setSelected({ listKey, rows: new Map(rows.map((row) => [row.id, row])) }),
  };
}
