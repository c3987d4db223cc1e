import * as z from "~/lib/zod";

export const NAME_REQUIRED = "Template name is required.";
export const MAX_CONTENT_LENGTH = 100_000;

export const templateDraftSchema = z.object({
  name: z.string().trim().min(1, NAME_REQUIRED).max(200, "Please keep the name under 200 characters."),
  description: z.string().trim().max(2000, "Please keep the description under 2,000 characters."),
  content: z.string().max(MAX_CONTENT_LENGTH, "Please keep the text under 100,000 characters."),
});
export type TemplateDraft = z.infer<typeof templateDraftSchema>;

export const BLANK_DRAFT: TemplateDraft = { name: "", description: "", content: "" };

export function isSameDraft(a: TemplateDraft, b: TemplateDraft): boolean {
  return a.name === b.name && a.description === b.description && a.content === b.content;
}
