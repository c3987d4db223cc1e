import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useMediaQuery } from "~/lib/use-media-query";
import type { DirectoryRow } from "./model";

const WIDE = "(min-width: 48rem)";
const HEIGHT = { wide: 64, narrow: 112 };
/** Rows kept ready outside the window: enough for a flick, few enough for a frame. */
const OVERSCAN = 10;

/** Which of the rows are worth drawing, and the empty room before and after them. */
export function useVirtualRows(rows: DirectoryRow[], table: RefObject<HTMLElement | null>) {
  const isWide = useMediaQuery(WIDE);
  const height = isWide ? HEIGHT.wide : HEIGHT.narrow;
  const scrollMargin = useTop(table);
  // Drawn again with every scroll, which is what the rule warns of and what is wanted.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin,
    // The page's header and the table's own cover what would stand beneath them.
    scrollPaddingStart: 112,
    scrollPaddingEnd: 16,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  useSteadyView(rows, height, table);

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

/** How far below the top of the page the rows begin. */
function useTop(table: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const body = table.current;
    if (!body) return;
    const measure = () => setTop(body.getBoundingClientRect().top + window.scrollY);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [table]);
  return top;
}

/** Rows that arrive above must not push away what is being read. */
function useSteadyView(rows: DirectoryRow[], height: number, table: RefObject<HTMLElement | null>): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const top = table.current?.getBoundingClientRect().top ?? 0;
    const firstSeen = Math.floor(-top / height);
    if (old === rows || firstSeen <= 0) return;
    const places = new Map(rows.map(({ id }, index) => [id, index]));
    // The first that is still there: one that was signed meanwhile has gone to the top.
    const kept = old.findIndex(({ id }, index) => index >= firstSeen && places.has(id));
    const moved = (places.get(old[kept]?.id ?? "") ?? kept) - kept;
    if (moved !== 0) window.scrollBy(0, moved * height);
  }, [rows, height, table]);
}
