import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { TemplateDraft } from "../draft";
import type { Template } from "../model";
import { templatesQuery } from "./templates";

type SaveRequest = { draft: TemplateDraft; template?: Template };

export const NEWER_VERSION_SAVED =
  "Someone else saved this template while you were editing. Save again to make yours the newest version; theirs stays in the history.";

/** Without a template, or with a sample that all companies share, saving creates a new template of the company. */
export function useSaveTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, template }: SaveRequest) => {
      const supabase = await apiClient();
      const table = supabase.rest.from("waiver_templates");
      if (!template || template.isSample) return unwrap(table.insert(draft).select("id"));
      const saved = await unwrap(
        table.update(draft).eq("id", template.id).eq("version", template.version).select("id"),
      );
      if (saved.length === 0) throw new Error(NEWER_VERSION_SAVED);
      return saved;
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries(templatesQuery),
        queries.invalidateQueries({ queryKey: ["template-versions"] }),
      ]),
  });
}
