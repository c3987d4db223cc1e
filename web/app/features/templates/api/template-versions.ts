import { useQuery } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

/** Reads the newest versions of a template, newest first. */
export const useTemplateVersions = (templateId: string) =>
  useQuery({ queryKey: ["template-versions", templateId], queryFn: () => fetchVersions(templateId) });

const MAX_VERSIONS = 200;

async function fetchVersions(templateId: string) {
  const supabase = await apiClient();
  return unwrap(
    supabase.rest
      .from("waiver_template_versions")
      .select("template_id, version, name, description, content, form, saved_at, saved_by_name")
      .eq("template_id", templateId)
      .order("version", { ascending: false })
      .limit(MAX_VERSIONS),
  );
}
