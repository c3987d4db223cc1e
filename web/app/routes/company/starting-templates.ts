import { readStartingTemplates } from "~/content/starting-templates/starting-templates";
import { startingForm } from "~/features/form-editor/starting-form";
import { startingTemplatesSchema } from "~/features/templates/starting-templates";
import type { Covers } from "~/lib/waiver-form/types";

/**
 * Writes the starting templates as JSON at build time. As a separate file they are loaded only when the gallery opens,
 * and can be requested again if that fails. The build fails if a field of a template is missing.
 */
export function loader(): Response {
  return Response.json(startingTemplatesSchema.parse(readStartingTemplates().map(withForm)));
}

const COVERS: Record<string, Covers> = {
  signer: {},
  both: { minors: {} },
  minors: { signer: false, minors: {} },
};

/** The file of a template names the ready-made questions that it asks, and whom a signature covers. */
function withForm({ asks = "", covers = "", ...template }: Record<string, string>) {
  const form = startingForm(asks.split(", "), COVERS[covers] ?? {});
  return { ...template, form };
}
