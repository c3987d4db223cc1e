import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { timelineOf } from "../timeline";
import { FRESH_FOR_MS } from "./signed-waiver";

/** The timeline is fetched again whenever it is shown, because downloads are recorded too. */
export const timelineQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["waivers", "timeline", sessionId],
    queryFn: () => fetchTimeline(sessionId),
    staleTime: FRESH_FOR_MS,
  });

export const useTimeline = (sessionId: string) => useQuery(timelineQuery(sessionId));

async function fetchTimeline(sessionId: string) {
  const supabase = await apiClient();
  const [events, emails] = await Promise.all([
    unwrap(
      supabase.rest
        .from("waiver_events")
        .select("event_id, at, name, title, details")
        .eq("session_id", sessionId)
        .order("event_id"),
    ),
    unwrap(
      supabase.rest
        .from("emails")
        .select("id, kind, status, recipient, created_at, sent_at, error")
        .eq("session_id", sessionId)
        .order("created_at"),
    ),
  ]);
  return timelineOf(events, emails);
}
