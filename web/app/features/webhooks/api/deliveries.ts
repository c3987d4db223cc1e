import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callFunction } from "~/lib/functions";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { isDueSoon, outcomeToast, parseOutcome, type Delivery, type Kind } from "../model";
import { ENDPOINTS_KEY } from "./endpoints";

const MAX_DELIVERIES = 25;
const FAST_POLL_MS = 2_000;
const SLOW_POLL_MS = 5_000;
const DELIVERIES_KEY = ["webhook-deliveries"];

/** Reads the newest deliveries. They are read again every few seconds, and more often while a delivery is due soon. */
export const useDeliveries = (kind: Kind) =>
  useQuery({
    queryKey: [...DELIVERIES_KEY, kind],
    queryFn: () => fetchDeliveries(kind),
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => isDueSoon(delivery, new Date())) ? FAST_POLL_MS : SLOW_POLL_MS,
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
      .limit(MAX_DELIVERIES),
  );
}

export const useSendTestEvent = (endpointId: string) =>
  useDeliveryRequest("Test", "try-webhook", { id: endpointId });

export const useResendDelivery = (deliveryId: string) =>
  useDeliveryRequest("Event", "resend-webhook", { delivery: deliveryId });

/** Lets the server send an event and reports the outcome in a toast that begins with `subject`. */
function useDeliveryRequest(subject: string, functionName: string, body: object) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => parseOutcome(await callFunction(functionName, body)),
    onSuccess: (outcome) => toast(outcomeToast(subject, outcome)),
    onError: (error) =>
      toast({ title: `${subject} was not sent`, description: error.message, destructive: true }),
    onSettled: () =>
      Promise.all([DELIVERIES_KEY, ENDPOINTS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
