import { queryOptions, useQuery } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toTrial, type Trial } from "../model";

export const HOUR_MS = 3_600_000;

export const trialQuery = queryOptions({
  queryKey: ["trial"],
  queryFn: fetchTrial,
  meta: KEEP_OFFLINE,
  staleTime: HOUR_MS,
  refetchInterval: HOUR_MS,
});

export const useTrial = () => useQuery(trialQuery).data ?? null;

async function fetchTrial(): Promise<Trial | null> {
  const { rest } = await apiClient();
  const trials = rest.from("trials").select("user_id, start_date, subscribed, days_remaining, is_active");
  return toTrial(await unwrap(trials.maybeSingle()));
}
