import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { SignedWaiverRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

/**
 * A session may be signed more than once. A session id refers to its newest waiver, a waiver id to exactly one waiver.
 */
export type WaiverReference = { sessionId: string } | { waiverId: string };

/** Always fetches from the server, because a pending waiver may be signed at any time. */
export function useFetchSignedWaiver() {
  const queries = useQueryClient();
  return useCallback(
    (reference: WaiverReference) =>
      queries.fetchQuery({
        queryKey: ["waivers", "signed", reference],
        queryFn: () => fetchSignedWaiver(reference),
        retry: 1,
        staleTime: 0,
      }),
    [queries],
  );
}

export type SignedRecord = Pick<
  SignedWaiverRow,
  | "id"
  | "session_id"
  | "template_id"
  | "template_name"
  | "signer_name"
  | "signer_email"
  | "signature"
  | "content"
  | "signed_at"
  | "revoked_at"
  | "revoke_reason"
  | "superseded_by"
  | "held_since"
  | "erased_at"
>;

async function fetchSignedWaiver(reference: WaiverReference): Promise<SignedRecord | null> {
  const supabase = await apiClient();
  const waivers = supabase.rest
    .from("signed_waivers")
    .select(
      "id, session_id, template_id, template_name, signer_name, signer_email, signature, content, signed_at, revoked_at, revoke_reason, superseded_by, held_since, erased_at",
    );
  const query =
    "waiverId" in reference
      ? waivers.eq("id", reference.waiverId)
      : waivers.eq("session_id", reference.sessionId);
  const rows = await unwrap(query.order("signed_at", { ascending: false }).limit(1));
  return rows[0] ?? null;
}
