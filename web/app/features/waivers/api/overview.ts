import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { Unreachable } from "~/lib/connection";
import type { WaiverCountsRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { toRecentSession, type RecentSession } from "../model";

/** Each waiver is counted once, under its status. */
export type Overview = WaiverCountsRow & { recent: RecentSession[] };

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
  const [rows, counts] = await Promise.all([
    unwrap(
      supabase.rest
        .from("waiver_sessions")
        .select("id, template_name, recipient_name, signer_name, status, created_at, expires_at, revoked_at")
        .neq("status", "template_default")
        .order("created_at", { ascending: false })
        .limit(RECENT_COUNT),
    ),
    unwrap(supabase.rest.rpc("waiver_counts")),
  ]);
  return { ...counts, recent: rows.map((row) => toRecentSession(row)) };
}
