import { queryOptions, useQuery } from "@tanstack/react-query";
import { KEPT } from "~/lib/query-client";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import { trialOf, type Trial } from "../model";

export const HOUR = 3_600_000;

export const trialQuery = queryOptions({
  queryKey: ["trial"],
  queryFn: fetchTrial,
  meta: KEPT,
  staleTime: HOUR,
  refetchInterval: HOUR,
});

export const useTrial = () => useQuery(trialQuery).data ?? null;

async function fetchTrial(): Promise<Trial | null> {
  const { rest } = await connect();
  const trials = rest.from("trials").select("user_id, start_date, subscribed, days_remaining, is_active");
  return trialOf(await take(trials.maybeSingle()));
}
