import * as z from "~/lib/zod";
import type { TemplateDraft } from "./draft";

/** The gallery shows the groups in this order. */
export const GROUPS = ["On the water", "On land", "Venues, camps and rentals", "Permissions"] as const;
export type Group = (typeof GROUPS)[number];

const text = z.string().min(1);

const formSchema = z.looseObject({
  covers: z.looseObject({ signer: z.boolean().optional(), minors: z.looseObject({}).optional() }).optional(),
  questions: z.array(z.looseObject({ kind: text, label: text })),
});

/**
 * `lawyer` contains questions for the company's lawyer about this activity, which guests do not see. `form` contains
 * the questions for guests.
 */
export const startingTemplatesSchema = z.array(
  z.object({
    id: text,
    name: text,
    activity: text,
    group: z.enum(GROUPS),
    description: text,
    lawyer: text,
    content: text,
    form: formSchema,
  }),
);
export type StartingTemplate = z.infer<typeof startingTemplatesSchema>[number];

export type GalleryFilter = { search: string; group: Group | null };

/** Returns the templates of the group that contain every word of the search. */
export function filterTemplates(
  templates: StartingTemplate[],
  { search, group }: GalleryFilter,
): StartingTemplate[] {
  const terms = search.toLowerCase().split(/\s+/);
  return templates.filter((template) => {
    const searchedText = [template.name, template.activity, template.description, template.content]
      .join("\n")
      .toLowerCase();
    return (group === null || template.group === group) && terms.every((term) => searchedText.includes(term));
  });
}

/** Returns the groups that have templates. */
export function groupTemplates(
  templates: StartingTemplate[],
): { group: Group; templates: StartingTemplate[] }[] {
  return GROUPS.map((group) => ({
    group,
    templates: templates.filter((template) => template.group === group),
  })).filter((section) => section.templates.length > 0);
}

export function startingDraft({ name, description, content, form }: StartingTemplate): TemplateDraft {
  return { name, description, content, form };
}

/** Says in a sentence whom one signature covers. */
export function coverageText({ covers }: StartingTemplate["form"]): string {
  if (!covers?.minors) return "Everyone signs for themselves.";
  return covers.signer === false
    ? "A parent or guardian signs for their children."
    : "A parent or guardian can sign for their children too.";
}
