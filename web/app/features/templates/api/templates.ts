import { queryOptions, useQuery } from "@tanstack/react-query";
import { writeCache, readCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toTemplate, sortTemplates, parseCachedTemplates, type Template } from "../model";

export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: fetchTemplates,
  meta: KEEP_OFFLINE,
});

async function fetchTemplates(): Promise<Template[]> {
  const supabase = await apiClient();
  const rows = await unwrap(
    supabase.rest
      .from("waiver_templates")
      .select(
        "id, company_id, name, description, content, form, version, created_at, updated_at, archived_at",
      )
      .order("created_at", { ascending: false }),
  );
  const templates = sortTemplates(rows.map(toTemplate));
  writeCache("waiverTemplates", templates);
  return templates;
}

/** If the server cannot be reached, returns the cached templates and marks them as a copy. */
export function useTemplates() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(templatesQuery);
  const copy = isError && !data ? parseCachedTemplates(readCache("waiverTemplates")) : null;
  return { templates: data ?? copy, isCopy: copy !== null, dataUpdatedAt, isError, refetch };
}
