import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { SignedWaiverInsert } from "~/lib/database";
import { newId } from "~/lib/new-id";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { apiClient, type ApiClient } from "~/lib/api";
import { isSameSignature, SESSION_NOT_UPDATED, UNEXPECTED_ERROR, type SignatureRow } from "~/lib/signing";
import { toast } from "~/ui/toast-store";
import { SESSION_NOT_FOUND, notStored } from "../model";

/** Stores a signature. A retry sends the same id, so that the signature is stored only once. */
export function useSignWaiver() {
  const queries = useQueryClient();
  const lastAttempt = useRef<SignedWaiverInsert>(null);
  return useMutation({
    mutationFn: async (signature: SignatureRow) => {
      const id =
        lastAttempt.current && isSameSignature(lastAttempt.current, signature)
          ? lastAttempt.current.id
          : newId();
      lastAttempt.current = { ...signature, id };
      const supabase = await apiClient();
      const storedRow = await unwrap(
        supabase.rest.from("signed_waivers").insert(lastAttempt.current).select("id").single(),
      );
      // A captive portal can also respond with 200, so only a response that echoes our id counts.
      if (storedRow.id !== id) throw new Error("Unexpected response id.");
      void warnIfSessionIsUnsigned(supabase, signature.session_id);
    },
    onSuccess: (_, { signer_name, template_name }) =>
      toast({ title: "Waiver Signed", description: `${signer_name} has signed ${template_name}.` }),
    onError: (error) => toast({ title: "Error", description: failureReason(error), destructive: true }),
    onSettled: () =>
      Promise.all(["waivers", "sent-waivers"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

function failureReason(error: Error): string {
  if (!(error instanceof RequestFailed)) return UNEXPECTED_ERROR;
  const isMissing = error.refusal === "session_not_found" || error.refusal === "template_empty";
  return isMissing ? SESSION_NOT_FOUND : notStored(error.message);
}

/** The guest can do nothing about it, so the warning is only logged. */
async function warnIfSessionIsUnsigned(supabase: ApiClient, sessionId: string): Promise<void> {
  const { data } = await supabase.rest
    .from("waiver_sessions")
    .select("status")
    .eq("id", sessionId)
    .maybeSingle();
  if (data && data.status !== "signed") console.warn(SESSION_NOT_UPDATED);
}
