import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import type { Template } from "../model";

/**
 * Creates the missing default sessions. The database allows one per template, so two open pages create no
 * duplicates.
 */
export function useDefaultSessions(templates: Template[]): void {
  const { isError } = useQuery({
    queryKey: ["default-sessions", templates.map(({ id }) => id)],
    queryFn: () => createMissingSessions(templates),
    enabled: templates.length > 0,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (isError)
      toast({ title: "Error", description: "Failed to prepare waiver templates.", destructive: true });
  }, [isError]);
}

async function createMissingSessions(templates: Template[]): Promise<number> {
  const supabase = await apiClient();
  const existingSessions = await unwrap(
    supabase.rest.from("waiver_sessions").select("template_id").eq("status", "template_default"),
  );
  const templateIds = new Set(existingSessions.map((session) => session.template_id));
  const missingTemplates = templates.filter(({ id }) => !templateIds.has(id));
  if (missingTemplates.length === 0) return 0;
  const createdRows = await unwrap(
    supabase.rest
      .from("waiver_sessions")
      .insert(
        missingTemplates.map(({ id, content }) => ({
          template_id: id,
          status: "template_default" as const,
          template_content: content,
        })),
      )
      .select("id"),
  );
  return createdRows.length;
}
