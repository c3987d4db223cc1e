import * as z from "~/lib/zod";

export const NAME_REQUIRED = "Template name is required.";
export const MAX_CONTENT_LENGTH = 100_000;

export const templateDraftSchema = z.object({
  name: z.string().trim().min(1, NAME_REQUIRED).max(200, "Please use at most 200 characters."),
  description: z.string().trim().max(2000, "Please use at most 2,000 characters."),
  content: z.string().max(MAX_CONTENT_LENGTH, "Please use at most 100,000 characters."),
});
/** What the fields of the editor contain. */
export type TemplateFields = z.infer<typeof templateDraftSchema>;
/** `form` contains the questions. Another feature edits them, and the server checks them. */
export type TemplateDraft = TemplateFields & { form: object | null };

export const BLANK_DRAFT: TemplateDraft = { name: "", description: "", content: "", form: null };

export function isSameDraft(a: TemplateDraft, b: TemplateDraft): boolean {
  return (
    a.name === b.name &&
    a.description === b.description &&
    a.content === b.content &&
    isSameForm(a.form, b.form)
  );
}

/** Ignores the order of fields: the server returns them in another order than the editor writes them. */
export function isSameForm(a: object | null, b: object | null): boolean {
  return JSON.stringify(a, sortFields) === JSON.stringify(b, sortFields);
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
