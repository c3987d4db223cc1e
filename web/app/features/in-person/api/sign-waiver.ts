import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { SignedWaiverInsert } from "~/lib/database";
import { newId } from "~/lib/new-id";
import { RequestFailed, unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { SESSION_NOT_FOUND, notStored, UNEXPECTED } from "../model";

type Signature = Omit<SignedWaiverInsert, "id">;

/** Idempotent by id: a retry of the same signature keeps its id, so that it is stored only once. */
export function useSignWaiver() {
  const queries = useQueryClient();
  const last = useRef<SignedWaiverInsert>(null);
  return useMutation({
    mutationFn: async (signature: Signature) => {
      const isSame =
        last.current?.signature === signature.signature && hasSameSigner(last.current, signature);
      const id = isSame && last.current ? last.current.id : newId();
      last.current = { ...signature, id };
      const supabase = await apiClient();
      const stored = await unwrap(
        supabase.rest.from("signed_waivers").insert(last.current).select("id").single(),
      );
      // A captive portal can also respond with 200, so only a response that echoes our id counts.
      if (stored.id !== id) throw new Error("Unexpected response id.");
    },
    onSuccess: (_, { signer_name, template_name }) =>
      toast({ title: "Waiver Signed", description: `${signer_name} has signed ${template_name}.` }),
    onError: (error) => toast({ title: "Error", description: failureReason(error), destructive: true }),
    onSettled: () =>
      Promise.all(["waivers", "sent-waivers"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

function hasSameSigner(one: Signature, other: Signature): boolean {
  return one.signer_name === other.signer_name && one.signer_email === other.signer_email;
}

function failureReason(error: Error): string {
  if (!(error instanceof RequestFailed)) return UNEXPECTED;
  const isMissing = error.refusal === "session_not_found" || error.refusal === "template_empty";
  return isMissing ? SESSION_NOT_FOUND : notStored(error.message);
}
