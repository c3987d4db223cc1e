import * as z from "zod";
import { writeCache, readCache } from "~/lib/browser-cache";
import type { TemplateDraft } from "./draft";

const someDrafts = z.record(
  z.string(),
  z.object({
    name: z.string(),
    description: z.string(),
    content: z.string(),
    at: z.string(),
    version: z.number(),
  }),
);
/** `version` is the one that was being changed, 0 for a new template. */
export type Unsaved = TemplateDraft & { at: string; version: number };
export type Base = { id: string; version: number };

/** What a template that is not saved yet is kept under. */
const NEW: Base = { id: "new", version: 0 };

/** What was being written and never saved, in this browser alone and until its person signs out. */
export function unsavedDraft({ id }: Base = NEW): Unsaved | null {
  return drafts()[id] ?? null;
}

export function keepUnsaved(draft: TemplateDraft, { id, version }: Base = NEW): void {
  writeCache("templateDrafts", { ...drafts(), [id]: { ...draft, version, at: new Date().toISOString() } });
}

export function forgetUnsaved({ id }: Base = NEW): void {
  const { [id]: forgotten, ...others } = drafts();
  if (forgotten) writeCache("templateDrafts", others);
}

function drafts(): Record<string, Unsaved> {
  return someDrafts.safeParse(readCache("templateDrafts")).data ?? {};
}
