import { queryOptions, useQuery } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { Subscription } from "../model";

const POLL_INTERVAL_MS = 2_000;

const subscriptionQuery = queryOptions({
  queryKey: ["billing", "subscription"],
  queryFn: fetchSubscription,
});

/** Reads the subscription, or null if there is none. While a payment is being confirmed, the subscription is polled. */
export function useSubscription(isConfirming = false) {
  return useQuery({ ...subscriptionQuery, refetchInterval: isConfirming ? POLL_INTERVAL_MS : false });
}

async function fetchSubscription(): Promise<Subscription | null> {
  const { rest } = await apiClient();
  return unwrap(
    rest
      .from("subscriptions")
      .select("id, plan, status, renews_at, is_ending, provider")
      .in("status", ["active", "past_due"])
      .order("created_at", { ascending: false })
      .limit(1)
      .maybeSingle(),
  );
}
