import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { SignedWaiverInsert } from "~/lib/database";
import { newId } from "~/lib/new-id";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { apiClient, type ApiClient } from "~/lib/api";
import { isSameSignature, SESSION_NOT_UPDATED, UNEXPECTED_ERROR, type SignatureRow } from "~/lib/signing";
import { toast } from "~/ui/toast-store";
import { NO_RESPONSE, notStored, SESSION_NOT_FOUND, SESSION_REFUSED } from "../model";
import { createSession, SessionNotCreated } from "./create-session";
import type { SessionToSign } from "./session-to-sign";

type Signing = { signature: SignatureRow; newSession: SessionToSign | null };

/**
 * Stores a signature, and before it the session if the guest signs from a template. A retry sends the same ids, so that
 * both are stored only once.
 */
export function useSignWaiver() {
  const queries = useQueryClient();
  const lastAttempt = useRef<SignedWaiverInsert>(null);
  return useMutation({
    mutationFn: async ({ signature, newSession }: Signing) => {
      const id =
        lastAttempt.current && isSameSignature(lastAttempt.current, signature)
          ? lastAttempt.current.id
          : newId();
      lastAttempt.current = { ...signature, id };
      const supabase = await apiClient();
      if (newSession) await createSession(supabase, newSession);
      const storedRow = await unwrap(
        supabase.rest.from("signed_waivers").insert(lastAttempt.current).select("id").single(),
      );
      // A captive portal can also respond with 200, so only a response that echoes our id counts.
      if (storedRow.id !== id) throw new Error("Unexpected response id.");
      void warnIfSessionIsUnsigned(supabase, signature.session_id);
    },
    onError: (error) => toast({ title: "Error", description: failureReason(error), destructive: true }),
    onSettled: () =>
      Promise.all(["waivers", "sent-waivers"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

function failureReason(error: Error): string {
  if (error instanceof SessionNotCreated) return error.isRefused ? SESSION_REFUSED : NO_RESPONSE;
  if (!(error instanceof RequestFailed)) return UNEXPECTED_ERROR;
  const isMissing = error.refusal === "session_not_found" || error.refusal === "template_empty";
  return isMissing ? SESSION_NOT_FOUND : notStored(error.message);
}

/** The guest can do nothing about a session that was not marked as signed, so the warning is only logged. */
async function warnIfSessionIsUnsigned(supabase: ApiClient, sessionId: string): Promise<void> {
  const { data } = await supabase.rest
    .from("waiver_sessions")
    .select("status")
    .eq("id", sessionId)
    .maybeSingle();
  if (data && data.status !== "signed") console.warn(SESSION_NOT_UPDATED);
}
