import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useMediaQuery } from "~/lib/use-media-query";
import type { DirectoryRow } from "./model";

const WIDE = "(min-width: 48rem)";
const HEIGHT = { wide: 64, narrow: 112 };
/** Rows rendered outside the window: enough for a fast scroll, few enough for one frame. */
const OVERSCAN = 10;

/** The rows that need to be rendered, and the empty space before and after them. */
export function useVirtualRows(rows: DirectoryRow[], table: RefObject<HTMLElement | null>) {
  const isWide = useMediaQuery(WIDE);
  const height = isWide ? HEIGHT.wide : HEIGHT.narrow;
  const scrollMargin = useTopOffset(table);
  // The rule warns that this renders on every scroll, which is intended here.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin,
    // The sticky headers of the page and of the table cover this much.
    scrollPaddingStart: 112,
    scrollPaddingEnd: 16,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  useScrollAnchor(rows, height, table);

  const shown = virtual.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    isWide,
    height,
    shown,
    before: first ? first.start - scrollMargin : 0,
    after: last ? virtual.getTotalSize() - (last.end - scrollMargin) : 0,
    lastShown: last?.index ?? 0,
    reveal: (index: number) => virtual.scrollToIndex(index),
  };
}

/** The distance between the top of the page and the first row. */
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
function useScrollAnchor(rows: DirectoryRow[], height: number, table: RefObject<HTMLElement | null>): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const top = table.current?.getBoundingClientRect().top ?? 0;
    const firstVisible = Math.floor(-top / height);
    if (old === rows || firstVisible <= 0) return;
    const newIndexes = new Map(rows.map(({ id }, index) => [id, index]));
    // The first visible row that still exists at this place: a row signed in the meantime has moved to the top.
    const anchor = old.findIndex(({ id }, index) => index >= firstVisible && newIndexes.has(id));
    const moved = (newIndexes.get(old[anchor]?.id ?? "") ?? anchor) - anchor;
    if (moved !== 0) window.scrollBy(0, moved * height);
  }, [rows, height, table]);
}
