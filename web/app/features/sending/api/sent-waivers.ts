import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { writeCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toCachedRecord } from "../cached-record";
import { isEmailSending, isTextSending, type SentWaiver } from "../sent-waiver";

export const PAGE_SIZE = 10;
const POLL_INTERVAL_MS = 3_000;
/** The ids are part of the URL, and the server refuses a query string of more than 16,000 bytes. */
const IDS_PER_REQUEST = 200;

export const SENT_COLUMNS =
  "id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, status, sent_as_pdf, email_status, email_message_id, email_error, recipient_phone, text_status, text_error, sent_at";

/** The list is refetched while an email or a text message is still being sent. */
export const sentWaiversQuery = (rowCount = PAGE_SIZE) =>
  queryOptions({
    queryKey: ["sent-waivers", rowCount],
    queryFn: () => fetchSentWaivers(rowCount),
    // Only the first page is kept offline.
    ...(rowCount === PAGE_SIZE && { meta: KEEP_OFFLINE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const now = new Date();
      const isSending = (waiver: SentWaiver) => isEmailSending(waiver, now) || isTextSending(waiver, now);
      return state.data?.rows.some(isSending) ? POLL_INTERVAL_MS : false;
    },
  });

export const useSentWaivers = (rowCount: number) => useQuery(sentWaiversQuery(rowCount));

async function fetchSentWaivers(rowCount: number): Promise<{ rows: SentWaiver[]; hasMore: boolean }> {
  const supabase = await apiClient();
  const rows = await unwrap(
    supabase.rest
      .from("sent_waivers")
      .select(SENT_COLUMNS)
      .order("sent_at", { ascending: false })
      // If the extra row is returned, there are more rows to show.
      .limit(rowCount + 1),
  );
  const newestRows = rows.slice(0, rowCount);
  writeCache("sentWaivers", newestRows.map(toCachedRecord));
  const sessions = await fetchSessions(newestRows.map((row) => row.session_id));
  return {
    rows: newestRows.map((row) => ({ ...row, session: sessions.get(row.session_id) ?? null })),
    hasMore: rows.length > rowCount,
  };
}

async function fetchSessions(ids: string[]) {
  const uniqueIds = [...new Set(ids)];
  const supabase = await apiClient();
  const requests = [];
  for (let start = 0; start < uniqueIds.length; start += IDS_PER_REQUEST) {
    const part = uniqueIds.slice(start, start + IDS_PER_REQUEST);
    requests.push(
      unwrap(supabase.rest.from("waiver_sessions").select("id, status, expires_at").in("id", part)),
    );
  }
  const rows = (await Promise.all(requests)).flat();
  return new Map(rows.map((row) => [row.id, row]));
}
