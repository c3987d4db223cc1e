import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiClient, type ApiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { toast } from "~/ui/toast-store";
import type { SignedRecord } from "./signed-waiver";

export function useCancelWaiver() {
  return useWaiverAction(
    ({ sessionId, reason }: { sessionId: string; reason: string }, supabase) =>
      unwrap(supabase.rest.rpc("cancel_waiver", { session_id: sessionId, reason })),
    { title: "Waiver cancelled", description: "Its link now says so, and no reminder is sent." },
  );
}

/** With `supersededBy`, the waiver is marked as superseded by that newer waiver. */
export type Revocation = { waiverId: string; reason: string; supersededBy: string | null };

export function useRevokeWaiver() {
  return useWaiverAction(
    ({ waiverId, reason, supersededBy }: Revocation, supabase) =>
      unwrap(
        supabase.rest.rpc("revoke_waiver", {
          waiver_id: waiverId,
          reason,
          ...(supersededBy && { superseded_by: supersededBy }),
        }),
      ),
    { title: "Waiver revoked", description: "The signed record stays readable and is marked as revoked." },
  );
}

type WaiverAction = { waiverId: string; reason: string };

export function useHoldWaiver() {
  return useWaiverAction(
    ({ waiverId, reason }: WaiverAction, supabase) =>
      unwrap(supabase.rest.rpc("hold_waiver", { waiver_id: waiverId, reason })),
    { title: "Waiver on legal hold", description: "It cannot be erased until you release the hold." },
  );
}

export function useReleaseHold() {
  return useWaiverAction(
    ({ waiverId, reason }: WaiverAction, supabase) =>
      unwrap(supabase.rest.rpc("release_hold", { waiver_id: waiverId, reason })),
    { title: "Hold released", description: "The waiver can be erased again." },
  );
}

export function useEraseWaiver() {
  return useWaiverAction(
    ({ waiverId, reason }: WaiverAction, supabase) =>
      unwrap(supabase.rest.rpc("erase_waiver", { waiver_id: waiverId, reason })),
    { title: "Waiver erased", description: "Only its history is left, without the person." },
  );
}

/** The waivers are fetched again, also after a refusal, because the waiver may have changed in the meantime. */
function useWaiverAction<Variables>(
  run: (variables: Variables, supabase: ApiClient) => Promise<unknown>,
  success: { title: string; description: string },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (variables: Variables) => run(variables, await apiClient()),
    onSuccess: () => toast(success),
    onSettled: () =>
      Promise.all(
        ["waivers", "sent-waivers", "planned-erasures"].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
}

const MAX_CHOICES = 20;

/** Returns the signer's newer waivers, one of which may supersede this one. */
export const useNewerWaivers = ({ signer_email, signed_at }: SignedRecord) =>
  useQuery({
    queryKey: ["waivers", "newer", signer_email, signed_at],
    queryFn: async () => {
      const supabase = await apiClient();
      return unwrap(
        supabase.rest
          .from("signed_waivers")
          .select("id, template_name, signed_at")
          .eq("signer_email", signer_email)
          .gt("signed_at", signed_at)
          .is("revoked_at", null)
          .order("signed_at", { ascending: false })
          .limit(MAX_CHOICES),
      );
    },
  });
