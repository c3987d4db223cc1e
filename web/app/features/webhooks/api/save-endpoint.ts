import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callFunction } from "~/lib/functions";
import { readSaved, type EndpointDraft, type Kind } from "../model";
import { ENDPOINTS } from "./endpoints";

/** Without an id a new one is made, and its secret comes back this once. */
export function useSaveEndpoint(kind: Kind, id?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: EndpointDraft) =>
      readSaved(await callFunction("save-webhook", { ...draft, kind, ...(id && { id }) })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS }),
  });
}

export function useRenewSecret(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => readSaved(await callFunction("renew-webhook-secret", { id })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS }),
  });
}
