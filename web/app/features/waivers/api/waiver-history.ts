import { useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import type { WaiverEventRow } from "~/lib/database";
import { unwrap } from "~/lib/request";

export type WaiverEvent = Pick<WaiverEventRow, "event_id" | "at" | "title" | "details">;

/** Fetches what has happened to a waiver, oldest first, when `isOpen` becomes true. */
export const useWaiverHistory = (sessionId: string, isOpen: boolean) =>
  useQuery({
    queryKey: ["waivers", "history", sessionId],
    queryFn: () => fetchHistory(sessionId),
    enabled: isOpen,
    staleTime: 0,
  });

async function fetchHistory(sessionId: string): Promise<WaiverEvent[]> {
  const supabase = await apiClient();
  return unwrap(
    supabase.rest
      .from("waiver_events")
      .select("event_id, at, title, details")
      .eq("session_id", sessionId)
      .order("event_id", { ascending: true }),
  );
}
