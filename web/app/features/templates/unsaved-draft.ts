import * as z from "~/lib/zod";
import { writeCache, readCache } from "~/lib/browser-cache";
import type { TemplateDraft } from "./draft";

const draftsSchema = z.record(
  z.string(),
  z.object({
    name: z.string(),
    description: z.string(),
    content: z.string(),
    // Drafts of earlier versions of this app have no form.
    form: z.record(z.string(), z.unknown()).nullable().default(null),
    at: z.string(),
    version: z.number(),
  }),
);
/** `at` is when the draft was stored. `version` is the version that was edited, or 0 for a new template. */
export type UnsavedDraft = TemplateDraft & { at: string; version: number };
export type EditedVersion = { id: string; version: number };

/** The draft of a template that has never been saved is stored with this id and version. */
const NEW_TEMPLATE: EditedVersion = { id: "new", version: 0 };

/** Reads unsaved changes, which are kept in this browser until the user signs out. */
export function readUnsavedDraft({ id }: EditedVersion = NEW_TEMPLATE): UnsavedDraft | null {
  return readDrafts()[id] ?? null;
}

export function saveUnsavedDraft(draft: TemplateDraft, { id, version }: EditedVersion = NEW_TEMPLATE): void {
  writeCache("templateDrafts", {
    ...readDrafts(),
    [id]: { ...draft, version, at: new Date().toISOString() },
  });
}

export function deleteUnsavedDraft({ id }: EditedVersion = NEW_TEMPLATE): void {
  const { [id]: draft, ...otherDrafts } = readDrafts();
  if (draft) writeCache("templateDrafts", otherDrafts);
}

function readDrafts(): Record<string, UnsavedDraft> {
  return draftsSchema.safeParse(readCache("templateDrafts")).data ?? {};
}
