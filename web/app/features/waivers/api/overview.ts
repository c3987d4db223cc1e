import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { Unreachable } from "~/lib/connection";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { toRecentSession, type RecentSession } from "../model";

export type Overview = { total: number; signed: number; pending: number; recent: RecentSession[] };

const RECENT_COUNT = 10;

export const overviewQuery = queryOptions({
  queryKey: ["waivers", "overview"],
  queryFn: fetchOverview,
  meta: KEEP_OFFLINE,
});

export function useOverview() {
  const overview = useQuery(overviewQuery);
  // No toast is needed for an unreachable server, because every page shows a banner about it.
  const isFailed = overview.isError && !(overview.error instanceof Unreachable);
  useEffect(() => {
    if (!isFailed) return;
    toast({
      title: "Failed to fetch data",
      description: "Could not retrieve waiver information",
      destructive: true,
    });
  }, [isFailed]);
  return overview;
}

async function fetchOverview(): Promise<Overview> {
  const supabase = await apiClient();
  const [newest, signed] = await Promise.all([
    supabase.rest
      .from("waiver_sessions")
      .select("id, template_name, recipient_name, signer_name, status, created_at", { count: "exact" })
      .neq("status", "template_default")
      .order("created_at", { ascending: false })
      .limit(RECENT_COUNT),
    supabase.rest.from("waiver_sessions").select("id", { count: "exact", head: true }).eq("status", "signed"),
  ]);
  // `unwrap` returns only the rows and throws errors. The counts are in the responses.
  const rows = await unwrap(Promise.resolve(newest));
  await unwrap(Promise.resolve(signed));
  const total = newest.count ?? 0;
  const signedCount = signed.count ?? 0;
  return { total, signed: signedCount, pending: total - signedCount, recent: rows.map(toRecentSession) };
}
