import { queryOptions, useQuery } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: fetchNotifications,
  meta: KEEP_OFFLINE,
});

export const useNotifications = () => useQuery(notificationsQuery);

async function fetchNotifications() {
  const supabase = await apiClient();
  return unwrap(
    supabase.rest
      .from("notifications")
      .select("id, title, message, read, data, created_at")
      .order("created_at", { ascending: false })
      .limit(100),
  );
}
