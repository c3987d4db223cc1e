import { queryOptions, useQuery } from "@tanstack/react-query";
import { KEPT } from "~/lib/query-client";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: fetchNotifications,
  meta: KEPT,
});

export const useNotifications = () => useQuery(notificationsQuery);

async function fetchNotifications() {
  const supabase = await connect();
  return take(
    supabase.rest
      .from("notifications")
      .select("id, title, message, read, data, created_at")
      .order("created_at", { ascending: false })
      .limit(100),
  );
}
