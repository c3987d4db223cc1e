import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { Unreachable } from "~/lib/connection";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { toDirectoryRow, isFiltered, type DirectoryRow, type Listing } from "../model";
import { withoutFlags } from "../row-people";

/** The first page fills the screen; later pages are larger, so that refetching a long list needs few requests. */
const FIRST_PAGE_SIZE = 100;
const NEXT_PAGE_SIZE = 500;
/** The server stops counting at this number. */
export const MAX_COUNT = 10_000;

/** A page starts after this row. The first page starts after null. */
export type Cursor = Pick<DirectoryRow, "sortKey" | "id"> | null;

/** Only the default list is kept on the device, not the result of every search. */
const offlineOptions = (listing: Listing) =>
  !isFiltered(listing) &&
  listing.order === "newest" && { meta: { ...KEEP_OFFLINE, withoutSecrets: withoutFlags } };

export const directoryQuery = (listing: Listing) =>
  infiniteQueryOptions({
    queryKey: ["waivers", "directory", listing],
    queryFn: ({ pageParam, signal }) => fetchRows(listing, pageParam, pageSize(pageParam), signal),
    initialPageParam: null as Cursor,
    getNextPageParam: (page, _pages, after): Cursor | undefined =>
      page.length < pageSize(after) ? undefined : page.at(-1),
    ...offlineOptions(listing),
    // Keep showing the old list until the new one is loaded.
    placeholderData: keepPreviousData,
  });

const pageSize = (after: Cursor): number => (after ? NEXT_PAGE_SIZE : FIRST_PAGE_SIZE);

export function useDirectory(listing: Listing) {
  const directory = useInfiniteQuery(directoryQuery(listing));
  // No toast is needed for an unreachable server, because every page shows a banner about it.
  const isFailed = directory.isError && !(directory.error instanceof Unreachable);
  useEffect(() => {
    if (isFailed) toast({ title: "Error", description: "Failed to load waivers", destructive: true });
  }, [isFailed]);
  return directory;
}

/** The count is fetched separately, so that the rows do not have to wait for it. */
export function useDirectoryCount(listing: Listing) {
  const filters = filterParameters(listing);
  return useQuery({
    ...offlineOptions(listing),
    queryKey: ["waivers", "count", filters],
    queryFn: async ({ signal }) => {
      const supabase = await apiClient();
      return unwrap(supabase.rest.rpc("count_waiver_directory", filters).abortSignal(signal));
    },
    placeholderData: keepPreviousData,
  });
}

/** Fetches at most `limit` rows that follow the row `after`, or the first rows if `after` is null. */
export async function fetchRows(
  listing: Listing,
  after: Cursor,
  limit: number,
  signal: AbortSignal,
): Promise<DirectoryRow[]> {
  const supabase = await apiClient();
  const cursor = after && { after_place: after.sortKey, after_id: after.id };
  const entries = await unwrap(
    supabase.rest
      .rpc("waiver_directory", {
        ...filterParameters(listing),
        sorted: listing.order,
        up_to: limit,
        ...cursor,
      })
      .select(
        "id, type, session_id, template_id, template_name, name, email, status, at, place, minors, flags",
      )
      .abortSignal(signal),
  );
  return entries.map(toDirectoryRow);
}

const filterParameters = ({ term, status, template, flag, question, answer }: Listing) => ({
  term,
  state: status,
  ...(template !== undefined && { template }),
  ...(flag !== undefined && { flag }),
  ...(question !== undefined && answer !== undefined && { question, answer }),
});
