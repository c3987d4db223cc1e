import { useInfiniteQuery } from "@tanstack/react-query";
import type { EmailRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

const PAGE_SIZE = 50;
const POLL_INTERVAL_MS = 3_000;

type Cursor = Pick<EmailRow, "created_at" | "id">;

/** Reads the emails in pages, newest first. The list is refetched while an email is still being sent. */
export const useEmails = () =>
  useInfiniteQuery({
    queryKey: ["emails", "history"],
    queryFn: ({ pageParam }) => fetchEmails(pageParam),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isSending) ? POLL_INTERVAL_MS : false),
  });

const isSending = ({ status }: Pick<EmailRow, "status">): boolean => status === "sending";

export type Email = Awaited<ReturnType<typeof fetchEmails>>[number];

async function fetchEmails(cursor: Cursor | null) {
  const supabase = await apiClient();
  const newestFirst = supabase.rest
    .from("emails")
    .select("id, session_id, recipient, subject, body, kind, provider, status, error, created_at, sent_at")
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(PAGE_SIZE);
  return unwrap(cursor ? newestFirst.or(olderThan(cursor)) : newestFirst);
}

/** Emails with the same time are ordered by id, so that no email is skipped between two pages. */
const olderThan = ({ created_at, id }: Cursor): string =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`;
