import { queryOptions, useQuery } from "@tanstack/react-query";
import { keep, kept } from "~/lib/browser-cache";
import { KEPT } from "~/lib/query-client";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import { fromRow, inOrder, readCached, type Template } from "../model";

export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: fetchTemplates,
  meta: KEPT,
});

async function fetchTemplates(): Promise<Template[]> {
  const supabase = await connect();
  const rows = await take(
    supabase.rest
      .from("waiver_templates")
      .select("id, company_id, name, description, content, version, created_at, updated_at, archived_at")
      .order("created_at", { ascending: false }),
  );
  const templates = inOrder(rows.map(fromRow));
  keep("waiverTemplates", templates);
  return templates;
}

/** Without an answer from the server the copy in this browser is shown, and said to be one. */
export function useTemplates() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(templatesQuery);
  const copy = isError && !data ? readCached(kept("waiverTemplates")) : null;
  return { templates: data ?? copy, isCopy: copy !== null, dataUpdatedAt, isError, refetch };
}
