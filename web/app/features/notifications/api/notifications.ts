import { queryOptions, useQuery } from "@tanstack/react-query";
import type { NotificationRow } from "~/lib/database";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

const MAX_NOTIFICATIONS = 100;

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: fetchNotifications,
  meta: KEEP_OFFLINE,
});

export const useNotifications = () => useQuery(notificationsQuery);

export type NotificationItem = Omit<NotificationRow, "about" | "company_id">;

async function fetchNotifications(): Promise<NotificationItem[]> {
  const supabase = await apiClient();
  return unwrap(
    supabase.rest
      .from("notifications")
      .select("id, title, message, read, data, created_at")
      .order("created_at", { ascending: false })
      .limit(MAX_NOTIFICATIONS),
  );
}
