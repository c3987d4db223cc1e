import { useEffect, useRef } from "react";
import type { DirectoryRow, Order } from "../model";
import { useRowKeys } from "../use-row-keys";
import type { Selection } from "../use-selection";
import { useVirtualRows } from "../use-virtual-rows";
import { DirectoryHead } from "./directory-head";
import { DirectorySkeleton } from "./directory-skeleton";
import { WaiverRow } from "./directory-row";

type Props = {
  rows: DirectoryRow[] | undefined;
  order: Order;
  selection: Selection;
  onOrder: (order: Order) => void;
  onView: (row: DirectoryRow) => void;
  onNearEnd: () => void;
};

const NO_ROWS: DirectoryRow[] = [];
/** The next page is requested this many rows before the end, so that the user does not have to wait. */
const ROWS_AHEAD = 40;

export function DirectoryTable({ rows = NO_ROWS, order, selection, onOrder, onView, onNearEnd }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualRows(rows, body);
  const keys = useRowKeys(body, rows, {
    onReveal: virtual.reveal,
    onOpen: onView,
    onToggle: selection.toggle,
  });
  const isNearEnd = rows.length > 0 && virtual.lastIndex >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  });

  const selectedCount = selection.rows.length;
  const isAllSelected = rows.length > 0 && rows.every(selection.has);
  return (
    <table
      aria-label="Waivers"
      aria-busy={rows === NO_ROWS}
      className="w-full table-fixed border-separate border-spacing-0 text-start text-[0.9375rem] tabular-nums [overflow-anchor:none]"
    >
      <DirectoryHead
        isWide={virtual.isWide}
        isEmpty={rows.length === 0}
        order={order}
        onOrder={onOrder}
        selected={isAllSelected ? "all" : selectedCount > 0 ? "some" : "none"}
        onSelectAll={() => selection.set(isAllSelected ? [] : rows)}
      />
      {/* The body handles the keys that are pressed while one of its rows has the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody ref={body} onKeyDown={keys.onKeyDown}>
        <Spacer height={virtual.spaceBefore} />
        {virtual.items.map(({ index, key }) => {
          const row = rows[index];
          return (
            row && (
              <WaiverRow
                key={key}
                row={row}
                index={index}
                height={virtual.height}
                isWide={virtual.isWide}
                isCurrent={index === keys.current}
                isSelected={selection.has(row)}
                onView={onView}
                onToggle={selection.toggle}
                onFocus={keys.setCurrent}
              />
            )
          );
        })}
        <Spacer height={virtual.spaceAfter} />
        {rows === NO_ROWS && <DirectorySkeleton height={virtual.height} isWide={virtual.isWide} />}
      </tbody>
    </table>
  );
}

/** Takes the space of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null;
}
