import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { Endpoint, Kind } from "../model";

export const ENDPOINTS_KEY = ["webhook-endpoints"];

const endpointsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: [...ENDPOINTS_KEY, kind],
    queryFn: async (): Promise<Endpoint[]> => {
      const { rest } = await apiClient();
      return unwrap(
        rest
          .from("webhook_endpoints")
          .select(
            "id, kind, name, url, secret_made_at, previous_until, paused, paused_because, failing_since, last_error, created_at, send_sensitive",
          )
          .eq("kind", kind)
          .order("created_at")
          .order("id"),
      );
    },
  });

export const useEndpoints = (kind: Kind) => useQuery(endpointsQuery(kind));

/** Pauses an endpoint or resumes it. */
export function useSetPaused(kind: Kind) {
  const queries = useQueryClient();
  const { queryKey } = endpointsQuery(kind);
  return useMutation({
    mutationFn: async ({ id, paused }: Pick<Endpoint, "id" | "paused">) => {
      const { rest } = await apiClient();
      await unwrap(rest.from("webhook_endpoints").update({ paused }).eq("id", id));
    },
    onSettled: () => refetchLists(queries, queryKey),
  });
}

export function useRemoveEndpoint(kind: Kind) {
  const queries = useQueryClient();
  const { queryKey } = endpointsQuery(kind);
  return useMutation({
    mutationFn: async (id: string) => {
      const { rest } = await apiClient();
      await unwrap(rest.from("webhook_endpoints").delete().eq("id", id));
    },
    onSettled: () => refetchLists(queries, queryKey),
  });
}

const refetchLists = (queries: ReturnType<typeof useQueryClient>, queryKey: readonly unknown[]) =>
  Promise.all([
    queries.invalidateQueries({ queryKey }),
    queries.invalidateQueries({ queryKey: ["webhook-deliveries"] }),
  ]);
