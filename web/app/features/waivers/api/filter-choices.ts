import { useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { toForm } from "~/lib/waiver-form/parse";
import type { TemplateChoice } from "../filter-choices";

/** Fetches the templates with their questions, for the filters of the directory. */
export const useTemplateChoices = (isNeeded = true) =>
  useQuery({ queryKey: ["templates", "choices"], queryFn: fetchTemplates, enabled: isNeeded });

async function fetchTemplates({ signal }: { signal: AbortSignal }): Promise<TemplateChoice[]> {
  const { rest } = await apiClient();
  const templates = await unwrap(
    rest.from("waiver_templates").select("id, name, form").order("name").abortSignal(signal),
  );
  return templates.map(({ id, name, form }) => ({ id, name, questions: toForm(form)?.questions ?? [] }));
}
