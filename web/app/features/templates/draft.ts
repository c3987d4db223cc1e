import * as z from "zod";

export const NAME_REQUIRED = "Template name is required.";

export const templateDraft = z.object({
  name: z.string().trim().min(1, NAME_REQUIRED).max(200, "Please keep the name under 200 characters."),
  description: z.string().trim().max(2000, "Please keep the description under 2,000 characters."),
  content: z.string().max(200_000, "This waiver is too long to be stored."),
});
export type TemplateDraft = z.infer<typeof templateDraft>;
