import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type { SignedWaiverRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";

/** A session can be signed more than once. If `recordId` is null, its newest signed waiver is meant. */
export type WaiverReference = { sessionId: string; recordId: string | null };

/** The loader of a page fetches the data, and the page must not fetch it again as soon as it is shown. */
export const FRESH_FOR_MS = 5_000;

/** The result is null if the session has no such signed waiver, for example because it is not signed. */
export const signedWaiverQuery = (reference: WaiverReference) =>
  queryOptions({
    queryKey: ["waivers", "signed", reference],
    queryFn: () => fetchSignedWaiver(reference),
    retry: 1,
    staleTime: FRESH_FOR_MS,
  });

const FAILED_TOAST = { title: "Error", description: "Failed to load waiver details", destructive: true };

export function useSignedWaiver(reference: WaiverReference) {
  const waiver = useQuery(signedWaiverQuery(reference));
  const isFailed = waiver.isError && waiver.data === undefined;
  useEffect(() => {
    if (isFailed) toast(FAILED_TOAST);
  }, [isFailed]);
  return waiver;
}

/** Fetches the newest signed waiver of a session from the server, because the session may be signed at any time. */
export function useFetchSignedWaiver() {
  const queries = useQueryClient();
  return useCallback(
    (sessionId: string) =>
      queries.fetchQuery({ ...signedWaiverQuery({ sessionId, recordId: null }), staleTime: 0 }),
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

async function fetchSignedWaiver({ sessionId, recordId }: WaiverReference): Promise<SignedRecord | null> {
  const supabase = await apiClient();
  const records = supabase.rest
    .from("signed_waivers")
    .select(
      "id, session_id, template_id, template_name, signer_name, signer_email, signature, content, signed_at, revoked_at, revoke_reason, superseded_by, held_since, erased_at",
    )
    .eq("session_id", sessionId);
  const query = recordId === null ? records : records.eq("id", recordId);
  const rows = await unwrap(query.order("signed_at", { ascending: false }).limit(1));
  return rows[0] ?? null;
}
