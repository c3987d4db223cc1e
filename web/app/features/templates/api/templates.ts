import { queryOptions, useQuery } from "@tanstack/react-query";
import { writeCache, readCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { fromRow, inOrder, readCached, type Template } from "../model";

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
      .select("id, company_id, name, description, content, version, created_at, updated_at, archived_at")
      .order("created_at", { ascending: false }),
  );
  const templates = inOrder(rows.map(fromRow));
  writeCache("waiverTemplates", templates);
  return templates;
}

/** Without an answer from the server the copy in this browser is shown, and said to be one. */
export function useTemplates() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(templatesQuery);
  const copy = isError && !data ? readCached(readCache("waiverTemplates")) : null;
  return { templates: data ?? copy, isCopy: copy !== null, dataUpdatedAt, isError, refetch };
}
