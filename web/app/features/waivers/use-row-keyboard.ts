import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { DirectoryRow } from "./model";

type Handlers = {
  onReveal: (index: number) => void;
  onOpen: (row: DirectoryRow) => void;
  onToggle: (row: DirectoryRow) => void;
};

/**
 * Handles the keyboard: arrow keys, Home and End move between rows, Enter opens a row, and the space bar selects it.
 * `current` is the index of the row that the Tab key reaches.
 */
export function useRowKeyboard(
  body: RefObject<HTMLElement | null>,
  rows: DirectoryRow[],
  handlers: Handlers,
) {
  const [current, setCurrent] = useState(0);
  const pendingFocus = useRef<number | null>(null);

  // A distant row is rendered only after the page has scrolled to it, so the focus may have to wait for a later render.
  useLayoutEffect(() => {
    const row = pendingFocus.current !== null && rowAt(body.current, pendingFocus.current);
    if (!row) return;
    pendingFocus.current = null;
    row.focus({ preventScroll: true });
  });

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    pendingFocus.current = next;
    setCurrent(next);
    handlers.onReveal(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const focused = event.target instanceof HTMLElement ? event.target : null;
    const element = focused?.closest<HTMLElement>("[data-index]");
    const index = Number(element?.dataset.index);
    const row = rows[index];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(index + 1),
      ArrowUp: () => moveTo(index - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ...(focused === element && { Enter: () => handlers.onOpen(row), " ": () => handlers.onToggle(row) }),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  // The index may be past the end after the list has become shorter.
  return { current: Math.min(current, Math.max(0, rows.length - 1)), setCurrent, onKeyDown };
}

function rowAt(body: HTMLElement | null, index: number): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}
