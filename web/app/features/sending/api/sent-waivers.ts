import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { writeCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { cachedRecord } from "../record";
import { isOnItsWay, isTextOnItsWay, type Sent } from "../sent";

export const PAGE = 10;

/** A mail still on its way is looked at again until its fate is known. */
export const sentWaiversQuery = (shown = PAGE) =>
  queryOptions({
    queryKey: ["sent-waivers", shown],
    queryFn: () => fetchSentWaivers(shown),
    ...(shown === PAGE && { meta: KEEP_OFFLINE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const now = new Date();
      const isMoving = (sent: Sent) => isOnItsWay(sent, now) || isTextOnItsWay(sent, now);
      return state.data?.rows.some(isMoving) ? 3_000 : false;
    },
  });

export const useSentWaivers = (shown: number) => useQuery(sentWaiversQuery(shown));

async function fetchSentWaivers(shown: number): Promise<{ rows: Sent[]; hasMore: boolean }> {
  const supabase = await apiClient();
  const rows = await unwrap(
    supabase.rest
      .from("sent_waivers")
      .select(
        "id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, status, sent_as_pdf, email_status, email_message_id, email_error, recipient_phone, text_status, text_error, sent_at",
      )
      .order("sent_at", { ascending: false })
      // One more than is shown tells whether there are more.
      .limit(shown + 1),
  );
  const newest = rows.slice(0, shown);
  writeCache("sentWaivers", newest.map(cachedRecord));
  const sessions = await fetchSessions(newest.map((row) => row.session_id));
  return {
    rows: newest.map((row) => ({ ...row, session: sessions.get(row.session_id) ?? null })),
    hasMore: rows.length > shown,
  };
}

async function fetchSessions(ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const supabase = await apiClient();
  const rows = await unwrap(
    supabase.rest
      .from("waiver_sessions")
      .select("id, status, expires_at")
      .in("id", [...new Set(ids)]),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
