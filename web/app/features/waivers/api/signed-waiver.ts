import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { SignedWaiverRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

/** A session may be signed more than once, so it is asked for the newest; a row of the directory for its own. */
export type Wanted = { sessionId: string } | { waiverId: string };

/** Asked anew each time: what is pending now may be signed a second later. */
export function useOpenSignedWaiver() {
  const queries = useQueryClient();
  return useCallback(
    (wanted: Wanted) =>
      queries.fetchQuery({
        queryKey: ["waivers", "signed", wanted],
        queryFn: () => fetchSigned(wanted),
        retry: 1,
        staleTime: 0,
      }),
    [queries],
  );
}

async function fetchSigned(wanted: Wanted): Promise<SignedWaiverRow | null> {
  const supabase = await apiClient();
  const waivers = supabase.rest
    .from("signed_waivers")
    .select(
      "id, session_id, template_id, template_name, signer_name, signer_email, signature, content, signed_at",
    );
  const found =
    "waiverId" in wanted ? waivers.eq("id", wanted.waiverId) : waivers.eq("session_id", wanted.sessionId);
  const rows = await unwrap(found.order("signed_at", { ascending: false }).limit(1));
  return rows[0] ?? null;
}
