import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callFunction } from "~/lib/functions";
import { parseSavedEndpoint, type EndpointDraft, type Kind } from "../model";
import { ENDPOINTS_KEY } from "./endpoints";

/** Without an id, a new endpoint is created. The response then contains its secret, which is shown only once. */
export function useSaveEndpoint(kind: Kind, id?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: EndpointDraft) =>
      parseSavedEndpoint(await callFunction("save-webhook", { ...draft, kind, ...(id && { id }) })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS_KEY }),
  });
}

export function useRenewSecret(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => parseSavedEndpoint(await callFunction("renew-webhook-secret", { id })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS_KEY }),
  });
}
