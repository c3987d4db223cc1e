import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callFunction } from "~/lib/functions";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { isOnItsWay, outcomeToast, readOutcome, type Delivery, type Kind } from "../model";
import { ENDPOINTS } from "./endpoints";

const RECENT = 25;
const DELIVERIES = ["webhook-deliveries"];

/** Newest first. Looked at often while something is on its way, and now and then for what guests have signed. */
export const useDeliveries = (kind: Kind) =>
  useQuery({
    queryKey: [...DELIVERIES, kind],
    queryFn: () => fetchDeliveries(kind),
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => isOnItsWay(delivery, new Date())) ? 2_000 : 5_000,
  });

async function fetchDeliveries(kind: Kind): Promise<Delivery[]> {
  const { rest } = await apiClient();
  return unwrap(
    rest
      .from("webhook_deliveries")
      .select(
        "id, endpoint_id, kind, endpoint_name, event, session_id, status, attempts, next_try_at, answer, error, created_at, tried_at",
      )
      .eq("kind", kind)
      .order("created_at", { ascending: false })
      .order("id", { ascending: false })
      .limit(RECENT),
  );
}

export const useTry = (endpointId: string) => useAsk("Test", "try-webhook", { id: endpointId });

export const useSendAgain = (delivery: string) => useAsk("Event", "resend-webhook", { delivery });

/** The server answers once it knows what became of it. */
function useAsk(what: string, name: string, asked: object) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => readOutcome(await callFunction(name, asked)),
    onSuccess: (outcome) => toast(outcomeToast(what, outcome)),
    onError: (error) =>
      toast({ title: `${what} was not sent`, description: error.message, destructive: true }),
    onSettled: () =>
      Promise.all([DELIVERIES, ENDPOINTS].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
