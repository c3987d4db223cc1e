import * as z from "zod";
import { writeCache, readCache } from "~/lib/browser-cache";
import type { TemplateDraft } from "./draft";

const draftsSchema = z.record(
  z.string(),
  z.object({
    name: z.string(),
    description: z.string(),
    content: z.string(),
    at: z.string(),
    version: z.number(),
  }),
);
/** `version` is the version that was edited, 0 for a new template. */
export type UnsavedDraft = TemplateDraft & { at: string; version: number };
export type Base = { id: string; version: number };

/** The key for a template that has never been saved. */
const NEW: Base = { id: "new", version: 0 };

/** Unsaved changes are kept in this browser until the user signs out. */
export function readUnsavedDraft({ id }: Base = NEW): UnsavedDraft | null {
  return readDrafts()[id] ?? null;
}

export function saveUnsavedDraft(draft: TemplateDraft, { id, version }: Base = NEW): void {
  writeCache("templateDrafts", {
    ...readDrafts(),
    [id]: { ...draft, version, at: new Date().toISOString() },
  });
}

export function deleteUnsavedDraft({ id }: Base = NEW): void {
  const { [id]: removed, ...others } = readDrafts();
  if (removed) writeCache("templateDrafts", others);
}

function readDrafts(): Record<string, UnsavedDraft> {
  return draftsSchema.safeParse(readCache("templateDrafts")).data ?? {};
}
