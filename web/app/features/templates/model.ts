import * as z from "zod";
import type { TemplateRow } from "~/lib/database";

export type Template = {
  id: string;
  name: string;
  description: string;
  content: string;
  createdAt: string;
  updatedAt: string;
  isSample: boolean;
};

export const NAME_REQUIRED = "Template name is required.";

export const templateDraft = z.object({
  name: z.string().trim().min(1, NAME_REQUIRED).max(200, "Please keep the name under 200 characters."),
  description: z.string().trim().max(2000, "Please keep the description under 2,000 characters."),
  content: z.string().max(200_000, "This waiver is too long to be stored."),
});
export type TemplateDraft = z.infer<typeof templateDraft>;

export function fromRow(row: TemplateRow): Template {
  const { id, name, description, content, created_at, updated_at, company_id } = row;
  return {
    id,
    name,
    description,
    content,
    createdAt: created_at,
    updatedAt: updated_at,
    isSample: company_id === null,
  };
}

/** The company's own first, newest first; the samples after them. */
export function inOrder(templates: Template[]): Template[] {
  return templates.toSorted(
    (a, b) => Number(a.isSample) - Number(b.isSample) || b.createdAt.localeCompare(a.createdAt),
  );
}

const cachedTemplates = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    content: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    isSample: z.boolean(),
  }),
);

/** What the browser kept, or nothing when it has been tampered with. */
export function readCached(kept: unknown): Template[] | null {
  return cachedTemplates.safeParse(kept).data ?? null;
}
