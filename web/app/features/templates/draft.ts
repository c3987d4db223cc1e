import * as z from "zod";

export const NAME_REQUIRED = "Template name is required.";
export const LONGEST_CONTENT = 200_000;

export const templateDraft = z.object({
  name: z.string().trim().min(1, NAME_REQUIRED).max(200, "Please keep the name under 200 characters."),
  description: z.string().trim().max(2000, "Please keep the description under 2,000 characters."),
  content: z.string().max(LONGEST_CONTENT, "Please keep the text under 200,000 characters."),
});
export type TemplateDraft = z.infer<typeof templateDraft>;

export function isSameDraft(one: TemplateDraft, other: TemplateDraft): boolean {
  return one.name === other.name && one.description === other.description && one.content === other.content;
}
