import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient, type ApiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { notificationsQuery, type NotificationItem } from "./notifications";

type Change = {
  /** Returns the changed list, which is shown before the server has responded. */
  apply: (list: NotificationItem[]) => NotificationItem[];
  write: (supabase: ApiClient) => Promise<unknown>;
};

export const markRead = (id: string): Change => ({
  apply: (list) => list.map((item) => (item.id === id ? { ...item, read: true } : item)),
  write: (supabase) => unwrap(supabase.rest.from("notifications").update({ read: true }).eq("id", id)),
});

export const markAllRead: Change = {
  apply: (list) => list.map((item) => ({ ...item, read: true })),
  write: (supabase) => unwrap(supabase.rest.from("notifications").update({ read: true }).eq("read", false)),
};

/** Clears only the notifications that the user has seen. One that arrives at the same moment stays. */
export const clearUpTo = (newest: NotificationItem): Change => ({
  apply: () => [],
  write: (supabase) =>
    unwrap(supabase.rest.from("notifications").delete().lte("created_at", newest.created_at)),
});

/** Updates the list optimistically and reverts it if the server rejects the change. */
export function useChangeNotifications() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ write }: Change) => write(await apiClient()),
    onMutate: async ({ apply }) => {
      await queries.cancelQueries(notificationsQuery);
      const previousList = queries.getQueryData(notificationsQuery.queryKey);
      if (previousList) queries.setQueryData(notificationsQuery.queryKey, apply(previousList));
      return { previousList };
    },
    onError: (error, _change, context) => {
      queries.setQueryData(notificationsQuery.queryKey, context?.previousList);
      toast({ title: "Notifications were not changed", description: error.message, destructive: true });
    },
    onSettled: () => queries.invalidateQueries(notificationsQuery),
  });
}
