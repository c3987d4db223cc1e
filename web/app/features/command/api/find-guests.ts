import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

const FOUND = 6;
const SHORTEST = 2;

/** The newest waivers in which a name, an email or a template sounds like this. */
export function useFoundGuests(term: string) {
  return useQuery({
    queryKey: ["waivers", "found", term],
    enabled: term.trim().length >= SHORTEST,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const supabase = await apiClient();
      const question = { term, state: "all", sorted: "newest", up_to: FOUND };
      return unwrap(
        supabase.rest
          .rpc("waiver_directory", question)
          .select("id, type, session_id, template_name, name, email, status")
          .abortSignal(signal),
      );
    },
  });
}
