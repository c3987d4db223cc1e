import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import type { Template } from "../model";
import { templatesQuery } from "./templates";

type ArchiveChange = { template: Template; archived: boolean };

/** Updates optimistically and reverts if the server refuses; the toast offers to undo archiving. */
export function useArchiveTemplate() {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ template, archived }: ArchiveChange) => {
      const supabase = await apiClient();
      // The server replaces this with its own time.
      const change = { archived_at: archived ? new Date().toISOString() : null };
      await unwrap(supabase.rest.from("waiver_templates").update(change).eq("id", template.id));
    },
    onMutate: ({ template, archived }) => {
      const before = queries.getQueryData(templatesQuery.queryKey);
      queries.setQueryData(templatesQuery.queryKey, (templates) =>
        templates?.map((item) =>
          item.id === template.id
            ? { ...item, archivedAt: archived ? new Date().toISOString() : null }
            : item,
        ),
      );
      return before;
    },
    onError: (error, { archived }, before) => {
      queries.setQueryData(templatesQuery.queryKey, before);
      const title = archived ? "The template was not archived" : "The template was not restored";
      toast({ title, description: error.message, destructive: true });
    },
    onSettled: () => queries.invalidateQueries(templatesQuery),
  });
  const restore = (template: Template) => {
    mutate({ template, archived: false });
    toast({ title: "Template restored", description: template.name });
  };
  const archive = (template: Template) => {
    mutate({ template, archived: true });
    toast({
      title: "Template archived",
      description: `${template.name} takes no new signatures. Waivers already sent can still be signed.`,
      duration: 10_000,
      action: { label: "Undo", run: () => restore(template) },
    });
  };
  return { archive, restore };
}
