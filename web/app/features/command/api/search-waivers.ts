import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

const MAX_RESULTS = 6;
const MIN_TERM_LENGTH = 2;

/** Finds the newest waivers with a matching name, email or template. */
export function useWaiverSearch(term: string) {
  return useQuery({
    queryKey: ["waivers", "found", term],
    enabled: term.trim().length >= MIN_TERM_LENGTH,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const supabase = await apiClient();
      const parameters = { term, state: "all", sorted: "newest", up_to: MAX_RESULTS };
      return unwrap(
        supabase.rest
          .rpc("waiver_directory", parameters)
          .select("id, type, session_id, template_name, name, email, status")
          .abortSignal(signal),
      );
    },
  });
}
