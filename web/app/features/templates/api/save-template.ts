import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { TemplateDraft } from "../draft";
import type { Template } from "../model";
import { templatesQuery } from "./templates";

type SaveRequest = { draft: TemplateDraft; template?: Template };

export const NEWER_VERSION_SAVED =
  "Someone else saved this template while you were editing. Save again to make yours the newest version; theirs stays in the history.";

/**
 * Updates the company's own template. If there is no template yet, or if it is a shared sample, a new template is
 * created.
 */
export function useSaveTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, template }: SaveRequest) => {
      const supabase = await apiClient();
      const table = supabase.rest.from("waiver_templates");
      if (!template || template.isSample) return unwrap(table.insert(draft).select("id"));
      const savedRows = await unwrap(
        table.update(draft).eq("id", template.id).eq("version", template.version).select("id"),
      );
      if (savedRows.length === 0) throw new Error(NEWER_VERSION_SAVED);
      return savedRows;
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries(templatesQuery),
        queries.invalidateQueries({ queryKey: ["template-versions"] }),
      ]),
  });
}
