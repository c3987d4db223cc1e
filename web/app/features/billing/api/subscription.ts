import { queryOptions, useQuery } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { Subscription } from "../model";

const EVERY = 2_000;

const subscriptionQuery = queryOptions({
  queryKey: ["billing", "subscription"],
  queryFn: fetchSubscription,
});

/** What the company has subscribed to; null for nothing. While a payment is being confirmed it is asked again and again. */
export function useSubscription(isAwaited = false) {
  return useQuery({ ...subscriptionQuery, refetchInterval: isAwaited ? EVERY : false });
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
