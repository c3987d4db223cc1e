import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { TemplateDraft } from "../draft";
import type { Template } from "../model";
import { templatesQuery } from "./templates";

type Saving = { draft: TemplateDraft; template?: Template };

export const OVERTAKEN =
  "Somebody else saved this template while you were editing. Save again to make yours the newest version; theirs stays in the history.";

/** Without a template, or with a sample that belongs to everyone, saving makes a new one of the company's own. */
export function useSaveTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, template }: Saving) => {
      const supabase = await apiClient();
      const table = supabase.rest.from("waiver_templates");
      if (!template || template.isSample) return unwrap(table.insert(draft).select("id"));
      const saved = await unwrap(
        table.update(draft).eq("id", template.id).eq("version", template.version).select("id"),
      );
      if (saved.length === 0) throw new Error(OVERTAKEN);
      return saved;
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries(templatesQuery),
        queries.invalidateQueries({ queryKey: ["template-versions"] }),
      ]),
  });
}
