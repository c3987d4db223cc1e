import { useMutation, useQueryClient } from "@tanstack/react-query";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import type { TemplateDraft } from "../draft";
import type { Template } from "../model";
import { templatesQuery } from "./templates";

type Saving = { draft: TemplateDraft; template?: Template };

/** Without a template, or with a sample that belongs to everyone, saving makes a new one of the company's own. */
export function useSaveTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, template }: Saving) => {
      const supabase = await connect();
      const table = supabase.rest.from("waiver_templates");
      if (template && !template.isSample) await take(table.update(draft).eq("id", template.id));
      else await take(table.insert(draft));
    },
    onSuccess: () => queries.invalidateQueries(templatesQuery),
  });
}
