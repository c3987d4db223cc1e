import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { NotificationRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient, type ApiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { notificationsQuery } from "./notifications";

type Change = {
  /** What the list will look like, shown at once. */
  expect: (list: NotificationRow[]) => NotificationRow[];
  write: (supabase: ApiClient) => Promise<unknown>;
};

export const markRead = (id: string): Change => ({
  expect: (list) => list.map((item) => (item.id === id ? { ...item, read: true } : item)),
  write: (supabase) => unwrap(supabase.rest.from("notifications").update({ read: true }).eq("id", id)),
});

export const markAllRead: Change = {
  expect: (list) => list.map((item) => ({ ...item, read: true })),
  write: (supabase) => unwrap(supabase.rest.from("notifications").update({ read: true }).eq("read", false)),
};

/** Only what was seen: one that arrives in the same moment stays. */
export const clearUpTo = (newest: NotificationRow): Change => ({
  expect: () => [],
  write: (supabase) =>
    unwrap(supabase.rest.from("notifications").delete().lte("created_at", newest.created_at)),
});

/** Shown before the server has answered, and taken back when it refuses. */
export function useChangeNotifications() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ write }: Change) => write(await apiClient()),
    onMutate: async ({ expect }) => {
      await queries.cancelQueries(notificationsQuery);
      const before = queries.getQueryData(notificationsQuery.queryKey);
      if (before) queries.setQueryData(notificationsQuery.queryKey, expect(before));
      return { before };
    },
    onError: (error, _change, context) => {
      queries.setQueryData(notificationsQuery.queryKey, context?.before);
      toast({ title: "Notifications were not changed", description: error.message, destructive: true });
    },
    onSettled: () => queries.invalidateQueries(notificationsQuery),
  });
}
