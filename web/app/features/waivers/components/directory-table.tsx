import { useEffect, useRef } from "react";
import type { DirectoryRow, Order } from "../model";
import { useRowKeys } from "../row-keys";
import type { Selection } from "../selection";
import { useVirtualRows } from "../virtual-rows";
import { DirectoryHead } from "./directory-head";
import { LoadingWaivers } from "./directory-loading";
import { WaiverRow } from "./directory-row";

type Props = {
  rows: DirectoryRow[] | undefined;
  order: Order;
  selection: Selection;
  onOrder: (order: Order) => void;
  onView: (row: DirectoryRow) => void;
  onNearEnd: () => void;
};

const NONE: DirectoryRow[] = [];
/** How many rows before the end the next ones are asked for, so that nobody gets there. */
const AHEAD = 40;

export function DirectoryTable({ rows = NONE, order, selection, onOrder, onView, onNearEnd }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualRows(rows, body);
  const keys = useRowKeys(body, rows, {
    onReveal: virtual.reveal,
    onOpen: onView,
    onToggle: selection.toggle,
  });
  const isNearEnd = rows.length > 0 && virtual.lastShown >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  });

  const chosen = selection.rows.length;
  const all = rows.length > 0 && rows.every(selection.has);
  return (
    <table
      aria-label="Waivers"
      aria-busy={rows === NONE}
      className="w-full table-fixed border-separate border-spacing-0 text-start text-[0.9375rem] tabular-nums [overflow-anchor:none]"
    >
      <DirectoryHead
        isWide={virtual.isWide}
        isEmpty={rows.length === 0}
        order={order}
        onOrder={onOrder}
        chosen={all ? "all" : chosen > 0 ? "some" : "none"}
        onChooseAll={() => selection.set(all ? [] : rows)}
      />
      {/* Keys pressed on the rows, which can be focused, arrive here. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody ref={body} onKeyDown={keys.onKeyDown}>
        <Room height={virtual.before} />
        {virtual.shown.map(({ index, key }) => {
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
                isChosen={selection.has(row)}
                onView={onView}
                onToggle={selection.toggle}
                onFocus={keys.setCurrent}
              />
            )
          );
        })}
        <Room height={virtual.after} />
        {rows === NONE && <LoadingWaivers height={virtual.height} isWide={virtual.isWide} />}
      </tbody>
    </table>
  );
}

/** Where rows are that are not drawn. */
function Room({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null;
}
