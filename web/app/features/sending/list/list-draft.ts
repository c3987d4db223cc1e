import { useEffect, useSyncExternalStore } from "react";
import { leaveWarning } from "./leave-warning";
import type { Preview } from "./preview";

/** A list that was not sent yet. The preview is kept while the user changes the text, because it contains edited rows. */
export type ListDraft = {
  text: string;
  preview: Preview | null;
  isPreviewShown: boolean;
  message: string;
  asPdf: boolean;
};

const EMPTY: ListDraft = { text: "", preview: null, isPreviewShown: false, message: "", asPdf: false };

let stored: { userId: string; draft: ListDraft } | null = null;
const listeners = new Set<() => void>();
const warnBeforeLeaving = leaveWarning();

const draftOf = (userId: string): ListDraft => (stored?.userId === userId ? stored.draft : EMPTY);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function store(next: typeof stored): void {
  stored = next;
  for (const notify of listeners) notify();
}

/** The draft stays in memory while the user looks at other pages. */
export function useListDraft(userId: string): ListDraft {
  const draft = useSyncExternalStore(
    subscribe,
    () => draftOf(userId),
    () => EMPTY,
  );
  const hasText = draft.text.trim() !== "";
  useEffect(() => {
    warnBeforeLeaving(hasText);
    return () => warnBeforeLeaving(false);
  }, [hasText]);
  return draft;
}

export const changeListDraft = (userId: string, fields: Partial<ListDraft>): void =>
  store({ userId, draft: { ...draftOf(userId), ...fields } });

export const forgetListDraft = (): void => store(null);
