import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { DirectoryRow } from "./model";

type Acts = {
  onReveal: (index: number) => void;
  onOpen: (row: DirectoryRow) => void;
  onToggle: (row: DirectoryRow) => void;
};

/** Arrow keys walk through the rows, Enter opens one, the space bar chooses it. */
export function useRowKeys(body: RefObject<HTMLElement | null>, rows: DirectoryRow[], acts: Acts) {
  const [current, setCurrent] = useState(0);
  const wanted = useRef<number | null>(null);

  // A row far away is drawn only after the page has scrolled there, so its focus may have to wait for a later drawing.
  useLayoutEffect(() => {
    const row = wanted.current !== null && rowAt(body.current, wanted.current);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });

  const go = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    wanted.current = next;
    setCurrent(next);
    acts.onReveal(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const focused = event.target instanceof HTMLElement ? event.target : null;
    const element = focused?.closest<HTMLElement>("[data-index]");
    const index = Number(element?.dataset.index);
    const row = rows[index];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const ways: Record<string, () => void> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ...(focused === element && { Enter: () => acts.onOpen(row), " ": () => acts.onToggle(row) }),
    };
    const act = ways[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  // It may point behind the end of a list that has become shorter.
  return { current: Math.min(current, Math.max(0, rows.length - 1)), setCurrent, onKeyDown };
}

function rowAt(body: HTMLElement | null, index: number): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}
