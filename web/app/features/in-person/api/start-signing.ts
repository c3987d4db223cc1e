import { useMutation } from "@tanstack/react-query";
import type { TemplateRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { NOT_CREATED, START_FAILED } from "../model";

type TemplateToSign = Pick<TemplateRow, "id" | "content">;

/** Creates a new session for the guest who is about to sign. */
export function useStartSigning() {
  return useMutation({
    mutationFn: async ({ id, content }: TemplateToSign): Promise<string> => {
      const supabase = await apiClient();
      const session = await unwrap(
        supabase.rest
          .from("waiver_sessions")
          .insert({ template_id: id, status: "pending", template_content: content })
          .select("id")
          .single(),
      );
      return session.id;
    },
    onError: (error) => {
      // The status is 0 if the server did not respond at all.
      const isRefused = error instanceof RequestFailed && error.status > 0;
      toast({ title: "Error", description: isRefused ? NOT_CREATED : START_FAILED, destructive: true });
    },
  });
}
