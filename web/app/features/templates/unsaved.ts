import * as z from "zod";
import { keep, kept } from "~/lib/browser-cache";
import type { TemplateDraft } from "./draft";

const someDrafts = z.record(
  z.string(),
  z.object({ name: z.string(), description: z.string(), content: z.string(), at: z.string() }),
);
export type Unsaved = TemplateDraft & { at: string };

/** What a template that is not saved yet is kept under. */
const NEW = "new";

/** What was being written and never saved, in this browser alone and until its person signs out. */
export function unsavedDraft(id: string = NEW): Unsaved | null {
  return drafts()[id] ?? null;
}

export function keepUnsaved(draft: TemplateDraft, id: string = NEW): void {
  keep("templateDrafts", { ...drafts(), [id]: { ...draft, at: new Date().toISOString() } });
}

export function forgetUnsaved(id: string = NEW): void {
  const { [id]: forgotten, ...others } = drafts();
  if (forgotten) keep("templateDrafts", others);
}

function drafts(): Record<string, Unsaved> {
  return someDrafts.safeParse(kept("templateDrafts")).data ?? {};
}
