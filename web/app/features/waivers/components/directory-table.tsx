import { useEffect, useRef } from "react";
import type { DirectoryRow, Order } from "../model";
import { useRowKeyboard } from "../use-row-keyboard";
import type { Selection } from "../use-selection";
import { useVirtualRows } from "../use-virtual-rows";
import { DirectoryHead } from "./directory-head";
import { DirectorySkeleton } from "./directory-skeleton";
import { DirectoryTableRow } from "./directory-row";

type Props = {
  /** The rows are undefined until they are loaded. */
  rows: DirectoryRow[] | undefined;
  order: Order;
  selection: Selection;
  onOrder: (order: Order) => void;
  onView: (row: DirectoryRow) => void;
  onNearEnd: () => void;
};

/** This array means that the rows are not loaded yet. A loaded list can also be empty, but it is another array. */
const NOT_LOADED: DirectoryRow[] = [];
/** The next page is requested this many rows before the end, so that the user does not have to wait. */
const ROWS_AHEAD = 40;

export function DirectoryTable({ rows = NOT_LOADED, order, selection, onOrder, onView, onNearEnd }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualRows(rows, body);
  const keyboard = useRowKeyboard(body, rows, {
    onReveal: virtual.reveal,
    onOpen: onView,
    onToggle: selection.toggle,
  });
  const isNearEnd = rows.length > 0 && virtual.lastIndex >= rows.length - ROWS_AHEAD;
  // This runs after every render, because the end may still be near after another page was loaded.
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  });

  const someOrNone = selection.rows.length > 0 ? "some" : "none";
  const isAllSelected = rows.length > 0 && rows.every(selection.has);
  return (
    <table
      aria-label="Waivers"
      aria-busy={rows === NOT_LOADED}
      className="w-full table-fixed border-separate border-spacing-0 text-start text-[0.9375rem] tabular-nums [overflow-anchor:none]"
    >
      <DirectoryHead
        columns={virtual.columns}
        isEmpty={rows.length === 0}
        order={order}
        onOrder={onOrder}
        selected={isAllSelected ? "all" : someOrNone}
        onSelectAll={() => selection.set(isAllSelected ? [] : rows)}
      />
      {/* The body handles the keys that are pressed while one of its rows has the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody ref={body} onKeyDown={keyboard.onKeyDown}>
        <Spacer height={virtual.spaceBefore} />
        {virtual.items.map(({ index, key }) => {
          const row = rows[index];
          return (
            row && (
              <DirectoryTableRow
                key={key}
                row={row}
                index={index}
                height={virtual.heightOf(row)}
                columns={virtual.columns}
                isCurrent={index === keyboard.current}
                isSelected={selection.has(row)}
                onToggle={selection.toggle}
                onFocus={keyboard.setCurrent}
              />
            )
          );
        })}
        <Spacer height={virtual.spaceAfter} />
        {rows === NOT_LOADED && (
          <DirectorySkeleton height={virtual.heightOf(undefined)} columns={virtual.columns} />
        )}
      </tbody>
    </table>
  );
}

/** Takes the space of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null;
}
