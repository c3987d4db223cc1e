import { readStartingTemplates } from "~/content/starting-templates/starting-templates";
import { startingTemplatesSchema } from "~/features/templates/starting-templates";

/**
 * Writes the starting templates as JSON at build time. As a separate file they are loaded only when the gallery opens,
 * and can be requested again if that fails. The build fails if a field of a template is missing.
 */
export function loader(): Response {
  return Response.json(startingTemplatesSchema.parse(readStartingTemplates()));
}
