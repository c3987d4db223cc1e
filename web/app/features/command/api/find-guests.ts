import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";

const FOUND = 6;
const SHORTEST = 2;

/** The newest waivers in which a name, an email or a template sounds like this. */
export function useFoundGuests(term: string) {
  return useQuery({
    queryKey: ["waivers", "found", term],
    enabled: term.trim().length >= SHORTEST,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const supabase = await connect();
      const question = { term, state: "all", sorted: "newest", up_to: FOUND };
      return take(
        supabase.rest
          .rpc("waiver_directory", question)
          .select("id, type, session_id, template_name, name, email, status")
          .abortSignal(signal),
      );
    },
  });
}
