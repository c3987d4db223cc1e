import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import type { Template } from "../model";
import { templatesQuery } from "./templates";

type ArchiveChange = { template: Template; isArchived: boolean };

/** Updates the list optimistically and reverts it if the server rejects the change. The toast offers to undo archiving. */
export function useArchiveTemplate() {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ template, isArchived }: ArchiveChange) => {
      const supabase = await apiClient();
      // The server replaces this with its own time.
      const change = { archived_at: isArchived ? new Date().toISOString() : null };
      await unwrap(supabase.rest.from("waiver_templates").update(change).eq("id", template.id));
    },
    onMutate: ({ template, isArchived }) => {
      const previousTemplates = queries.getQueryData(templatesQuery.queryKey);
      queries.setQueryData(templatesQuery.queryKey, (templates) =>
        templates?.map((item) =>
          item.id === template.id
            ? { ...item, archivedAt: isArchived ? new Date().toISOString() : null }
            : item,
        ),
      );
      return previousTemplates;
    },
    onError: (error, { isArchived }, previousTemplates) => {
      queries.setQueryData(templatesQuery.queryKey, previousTemplates);
      const title = isArchived ? "The template was not archived" : "The template was not restored";
      toast({ title, description: error.message, destructive: true });
    },
    onSettled: () => queries.invalidateQueries(templatesQuery),
  });
  const restore = (template: Template) => {
    mutate({ template, isArchived: false });
    toast({ title: "Template restored", description: template.name });
  };
  const archive = (template: Template) => {
    mutate({ template, isArchived: true });
    toast({
      title: "Template archived",
      description: `${template.name} takes no new signatures. Waivers already sent can still be signed.`,
      duration: 10_000,
      action: { label: "Undo", run: () => restore(template) },
    });
  };
  return { archive, restore };
}
