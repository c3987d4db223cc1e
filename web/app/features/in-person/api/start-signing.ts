import { useMutation } from "@tanstack/react-query";
import type { TemplateRow } from "~/lib/database";
import { RequestFailed, unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { NOT_CREATED, WENT_WRONG } from "../model";

type Startable = Pick<TemplateRow, "id" | "content">;

/** A session of its own for whoever signs now. */
export function useStartSigning() {
  return useMutation({
    mutationFn: async ({ id, content }: Startable): Promise<string> => {
      const supabase = await apiClient();
      const opened = await unwrap(
        supabase.rest
          .from("waiver_sessions")
          .insert({ template_id: id, status: "pending", template_content: content })
          .select("id")
          .single(),
      );
      return opened.id;
    },
    onError: (error) => {
      // Refused by the server, or never answered.
      const isRefused = error instanceof RequestFailed && error.status > 0;
      toast({ title: "Error", description: isRefused ? NOT_CREATED : WENT_WRONG, destructive: true });
    },
  });
}
