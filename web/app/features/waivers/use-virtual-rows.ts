import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useMediaQuery } from "~/lib/use-media-query";
import type { DirectoryRow } from "./model";

/**
 * How many columns the list has. `wide` has all of them. In `medium`, for tablets, the template has no column and is
 * shown below the name. In `narrow`, for phones, the status and the date are also shown below the name.
 */
export type Columns = "wide" | "medium" | "narrow";

/** The navigation takes 16rem of such a screen, so the list has at least 61rem. */
const WIDE_SCREEN = "(min-width: 77rem)";
const MEDIUM_SCREEN = "(min-width: 44rem)";
/** Each row is high enough for a name of two lines. */
const ROW_HEIGHT_PX: Record<Columns, number> = { wide: 64, medium: 92, narrow: 112 };
/** Minors and flags have one line each, below the name. */
const MINORS_HEIGHT_PX = 20;
const FLAGS_HEIGHT_PX = 24;
/**
 * The number of rows that are rendered above and below the window. Together they are higher than one step of a mouse
 * wheel. A slow computer could not render more of them within one frame.
 */
const OVERSCAN_ROWS = 3;

/** Returns the rows that need to be rendered and the empty space before and after them. */
export function useVirtualRows(rows: DirectoryRow[], table: RefObject<HTMLElement | null>) {
  const columns = useColumns();
  const heightOf = (row: DirectoryRow | undefined) => rowHeight(columns, row);
  const scrollMargin = useTopOffset(table);
  // The linter warns that this renders on every scroll, which is intended here.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
    // Together, the sticky headers of the page and of the table are 112 px high.
    scrollPaddingStart: 112,
    scrollPaddingEnd: 16,
  });
  useEffect(() => virtual.measure(), [virtual, rows, columns]);
  useScrollAnchor(rows, columns, table);

  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return {
    columns,
    heightOf,
    items,
    spaceBefore: first ? first.start - scrollMargin : 0,
    // At first no row is rendered. The page still has its full height, so that the browser can restore how far it was
    // scrolled.
    spaceAfter: virtual.getTotalSize() - (last ? last.end - scrollMargin : 0),
    lastIndex: last?.index ?? 0,
    reveal: (index: number) => virtual.scrollToIndex(index),
  };
}

function rowHeight(columns: Columns, row: DirectoryRow | undefined): number {
  const minorsHeight = row && row.minors.length > 0 ? MINORS_HEIGHT_PX : 0;
  const flagsHeight = row && row.flags.length > 0 ? FLAGS_HEIGHT_PX : 0;
  return ROW_HEIGHT_PX[columns] + minorsHeight + flagsHeight;
}

function useColumns(): Columns {
  const isWide = useMediaQuery(WIDE_SCREEN);
  const isMedium = useMediaQuery(MEDIUM_SCREEN);
  if (isWide) return "wide";
  return isMedium ? "medium" : "narrow";
}

/** Measures the distance between the top of the page and the first row. */
function useTopOffset(table: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const body = table.current;
    if (!body) return;
    const measure = () => setTop(body.getBoundingClientRect().top + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [table]);
  return top;
}

/** Keeps the visible rows in place when rows are added above them. */
function useScrollAnchor(rows: DirectoryRow[], columns: Columns, table: RefObject<HTMLElement | null>): void {
  const previousRows = useRef(rows);
  useLayoutEffect(() => {
    const oldPlaces = rowPlaces(previousRows.current, columns);
    const isUnchanged = previousRows.current === rows;
    previousRows.current = rows;
    const hiddenHeight = -(table.current?.getBoundingClientRect().top ?? 0);
    const firstVisible = oldPlaces.findIndex(({ bottom }) => bottom > hiddenHeight);
    if (isUnchanged || firstVisible <= 0) return;
    const newTops = new Map(rowPlaces(rows, columns).map(({ id, top }) => [id, top]));
    // Anchor to the first visible row that still exists. A row that was signed in the meantime has moved to the top.
    const anchor = oldPlaces.find(({ id }, index) => index >= firstVisible && newTops.has(id));
    const shift = anchor ? (newTops.get(anchor.id) ?? 0) - anchor.top : 0;
    if (shift !== 0) window.scrollBy(0, shift);
  }, [rows, columns, table]);
}

/** Returns where each row is, in pixels from the top of the first row. */
function rowPlaces(rows: DirectoryRow[], columns: Columns) {
  let bottom = 0;
  return rows.map((row) => {
    const top = bottom;
    bottom += rowHeight(columns, row);
    return { id: row.id, top, bottom };
  });
}
