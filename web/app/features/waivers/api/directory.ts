import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { Unreachable } from "~/lib/reach";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { directoryRow, isFiltered, type DirectoryRow, type Listing } from "../model";

/** A screenful and more; whoever goes on reading gets larger helpings, so that staying up to date takes few questions. */
const FIRST_PAGE = 100;
const NEXT_PAGES = 500;
/** The server counts no further. */
export const COUNTED_TO = 10_000;

export type After = Pick<DirectoryRow, "place" | "id"> | null;

/** Only the list as everybody opens it is kept on the device, not every answer to every search. */
const kept = (listing: Listing) =>
  !isFiltered(listing) && listing.order === "newest" && { meta: KEEP_OFFLINE };

export const directoryQuery = (listing: Listing) =>
  infiniteQueryOptions({
    queryKey: ["waivers", "directory", listing],
    queryFn: ({ pageParam, signal }) => fetchRows(listing, pageParam, helping(pageParam), signal),
    initialPageParam: null as After,
    getNextPageParam: (page, _pages, after): After | undefined =>
      page.length < helping(after) ? undefined : page.at(-1),
    ...kept(listing),
    // The list being read stays until its successor is there.
    placeholderData: keepPreviousData,
  });

const helping = (after: After): number => (after ? NEXT_PAGES : FIRST_PAGE);

export function useDirectory(listing: Listing) {
  const directory = useInfiniteQuery(directoryQuery(listing));
  const isFailed = directory.isError && !(directory.error instanceof Unreachable);
  useEffect(() => {
    if (isFailed) toast({ title: "Error", description: "Failed to load waivers", destructive: true });
  }, [isFailed]);
  return directory;
}

/** How many match, apart from the rows: nobody waits for a number. */
export function useDirectoryCount(listing: Listing) {
  const { term, state } = listing;
  return useQuery({
    ...kept(listing),
    queryKey: ["waivers", "count", { term, state }],
    queryFn: async ({ signal }) => {
      const supabase = await apiClient();
      return unwrap(supabase.rest.rpc("count_waiver_directory", { term, state }).abortSignal(signal));
    },
    placeholderData: keepPreviousData,
  });
}

export async function fetchRows(
  { term, state, order }: Listing,
  after: After,
  up_to: number,
  signal: AbortSignal,
): Promise<DirectoryRow[]> {
  const supabase = await apiClient();
  const following = after && { after_place: after.place, after_id: after.id };
  const entries = await unwrap(
    supabase.rest
      .rpc("waiver_directory", { term, state, sorted: order, up_to, ...following })
      .select("id, type, session_id, template_id, template_name, name, email, status, at, place")
      .abortSignal(signal),
  );
  return entries.map(directoryRow);
}
