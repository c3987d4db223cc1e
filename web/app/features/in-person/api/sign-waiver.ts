import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { SignatureInsert } from "~/lib/database";
import { newId } from "~/lib/new-id";
import { RequestFailed, unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { NO_SESSION, notStored, UNEXPECTED } from "../model";

type Signature = Omit<SignatureInsert, "id">;

/** One insert. The same signature keeps its id when it is tried again, so that it is stored once. */
export function useSignWaiver() {
  const queries = useQueryClient();
  const last = useRef<SignatureInsert>(null);
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
      // Others on the way answer too; whoever has stored it can name it.
      if (stored.id !== id) throw new Error("This answers something else.");
    },
    onSuccess: (_, { signer_name, template_name }) =>
      toast({ title: "Waiver Signed", description: `${signer_name} has signed ${template_name}.` }),
    onError: (error) => toast({ title: "Error", description: reason(error), destructive: true }),
    onSettled: () =>
      Promise.all(["waivers", "sent-waivers"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

function hasSameSigner(one: Signature, other: Signature): boolean {
  return one.signer_name === other.signer_name && one.signer_email === other.signer_email;
}

function reason(error: Error): string {
  if (!(error instanceof RequestFailed)) return UNEXPECTED;
  return error.code === "PT404" ? NO_SESSION : notStored(error.message);
}
