import { useInfiniteQuery } from "@tanstack/react-query";
import type { EmailRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

const PAGE = 50;

type Place = Pick<EmailRow, "created_at" | "id">;

/** Newest first, a page at a time; a mail still on its way is looked at again until its fate is known. */
export const useEmails = () =>
  useInfiniteQuery({
    queryKey: ["emails", "history"],
    queryFn: ({ pageParam }) => fetchEmails(pageParam),
    initialPageParam: null as Place | null,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isOnItsWay) ? 3_000 : false),
  });

const isOnItsWay = ({ status }: Pick<EmailRow, "status">): boolean => status === "sending";

async function fetchEmails(after: Place | null) {
  const supabase = await apiClient();
  const newest = supabase.rest
    .from("emails")
    .select("id, session_id, recipient, subject, body, kind, provider, status, error, created_at, sent_at")
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(PAGE);
  return unwrap(after ? newest.or(older(after)) : newest);
}

/** Mails of one moment are told apart by their id, so that none falls between two pages. */
const older = ({ created_at, id }: Place): string =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`;
