import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { writeCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toCachedRecord } from "../cached-record";
import { isEmailSending, isTextSending, type SentWaiver } from "../sent-waiver";

export const PAGE_SIZE = 10;

/** Refetched while an email or a text message is still being sent. */
export const sentWaiversQuery = (shown = PAGE_SIZE) =>
  queryOptions({
    queryKey: ["sent-waivers", shown],
    queryFn: () => fetchSentWaivers(shown),
    ...(shown === PAGE_SIZE && { meta: KEEP_OFFLINE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const now = new Date();
      const isSending = (sent: SentWaiver) => isEmailSending(sent, now) || isTextSending(sent, now);
      return state.data?.rows.some(isSending) ? 3_000 : false;
    },
  });

export const useSentWaivers = (shown: number) => useQuery(sentWaiversQuery(shown));

async function fetchSentWaivers(shown: number): Promise<{ rows: SentWaiver[]; hasMore: boolean }> {
  const supabase = await apiClient();
  const rows = await unwrap(
    supabase.rest
      .from("sent_waivers")
      .select(
        "id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, status, sent_as_pdf, email_status, email_message_id, email_error, recipient_phone, text_status, text_error, sent_at",
      )
      .order("sent_at", { ascending: false })
      // One more than is shown, to find out whether there are more.
      .limit(shown + 1),
  );
  const newest = rows.slice(0, shown);
  writeCache("sentWaivers", newest.map(toCachedRecord));
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
