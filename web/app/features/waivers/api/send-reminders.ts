import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";

const TOAST_TITLE = "Sending reminders";

/** Reminds the given recipients, or everyone who has not signed. The server decides who may be reminded. */
export function useSendReminders() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionIds?: string[]) => {
      const supabase = await apiClient();
      return unwrap(supabase.rest.rpc("send_reminders", sessionIds ? { session_ids: sessionIds } : {}));
    },
    onMutate: () => toast({ title: TOAST_TITLE, description: "They are being queued." }),
    onSuccess: (queuedCount) => {
      toast(outcomeToast(queuedCount));
      void queries.invalidateQueries({ queryKey: ["emails"] });
      void queries.invalidateQueries({ queryKey: ["waivers", "reminder-plan"] });
    },
    onError: (error) =>
      toast({ title: "Reminders were not sent", description: error.message, destructive: true }),
  });
}

function outcomeToast(queuedCount: number) {
  if (queuedCount === 0) {
    return {
      title: "No reminders to send",
      description: "No one is waiting for a reminder. A guest gets at most one in an hour.",
    };
  }
  return {
    title: TOAST_TITLE,
    description: queuedCount === 1 ? "1 reminder is queued." : `${queuedCount} reminders are queued.`,
  };
}
