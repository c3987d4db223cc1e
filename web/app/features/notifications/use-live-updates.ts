import type { RealtimeClient } from "@supabase/realtime-js";
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import type { SignedWaiverRow } from "~/lib/database";
import { throttle } from "~/lib/throttle";
import { isUnreachable, onConnectionChange } from "~/lib/connection";
import { apiClient, realtimeClient, type ApiClient } from "~/lib/api";
import { paths } from "~/paths";
import { toast } from "~/ui/toast-store";
import { notificationsQuery } from "./api/notifications";
import { signedMessage } from "./model";

/** Many waivers may be signed within a second. Without this limit, each of them would repeat the same requests. */
const MIN_REFRESH_INTERVAL_MS = 1_000;

/** Keeps an open page up to date when data changes elsewhere, and shows a toast for each new signature. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    const throttledRefresh = (...keys: string[]) =>
      throttle(() => {
        for (const key of keys) void queries.invalidateQueries({ queryKey: [key], predicate: isNotRetrying });
      }, MIN_REFRESH_INTERVAL_MS);
    const refreshWaivers = throttledRefresh("waivers");
    const refreshTemplates = throttledRefresh("templates", "template-versions");
    const refreshNotifications = throttledRefresh(...notificationsQuery.queryKey);
    const stop = listen({
      onSigned: (waiver) => {
        refreshWaivers();
        const run = () => void navigate(paths.waiver(waiver.session_id));
        toast({ ...signedMessage(waiver), action: { label: "Open waiver", run } });
      },
      onWaiverChanged: throttledRefresh("waivers", "sent-waivers"),
      onNotification: refreshNotifications,
      onTemplateSaved: refreshTemplates,
      // Refetch these lists, because they may have changed before the connection was open.
      onConnected: () => {
        refreshWaivers();
        refreshTemplates();
        refreshNotifications();
      },
    });
    return stop;
  }, [queries, navigate]);
}

type Listener = {
  onSigned: (waiver: Pick<SignedWaiverRow, "session_id" | "signer_name" | "template_name">) => void;
  onWaiverChanged: () => void;
  onNotification: () => void;
  onTemplateSaved: () => void;
  onConnected: () => void;
};

/** Opens the connection as soon as the server can be reached. Returns a function that closes it. */
function listen(listener: Listener): () => void {
  let isStopped = false;
  let leaveChannels: (() => void) | undefined;
  const open = async () => {
    const [supabase, realtime] = await Promise.all([apiClient(), realtimeClient()]);
    void enableRealtime(supabase);
    await realtime.setAuth();
    if (!isStopped) leaveChannels ??= subscribe(realtime, listener);
  };
  // A page that was opened without a network connects as soon as the server can be reached.
  const openIfReachable = () => {
    if (!leaveChannels && !isUnreachable()) void open().catch(() => undefined);
  };
  const stopWatchingConnection = onConnectionChange(openIfReachable);
  openIfReachable();
  return () => {
    isStopped = true;
    stopWatchingConnection();
    leaveChannels?.();
  };
}

/** A query that is being retried has its own delays, so it is not refetched. */
function isNotRetrying({ state }: Query): boolean {
  return state.fetchStatus === "idle" || state.fetchFailureCount === 0;
}

const CHANNEL_COUNT = 2;

/** Joins the channels. `onConnected` is called whenever all of them are joined, also after an interruption. */
function subscribe(realtime: RealtimeClient, listener: Listener): () => void {
  const joinedChannels = new Set<string>();
  const onStatus = (channel: string) => (status: string) => {
    if (status !== "SUBSCRIBED") joinedChannels.delete(channel);
    else if (joinedChannels.add(channel).size === CHANNEL_COUNT) listener.onConnected();
  };
  const inserts = { event: "INSERT", schema: "public" } as const;
  const updates = { event: "UPDATE", schema: "public" } as const;
  const waivers = realtime
    .channel("signed-waivers-changes")
    .on<SignedWaiverRow>("postgres_changes", { ...inserts, table: "signed_waivers" }, ({ new: row }) =>
      listener.onSigned(row),
    )
    .subscribe(onStatus("waivers"));
  // The second channel carries all other changes.
  const otherChanges = realtime
    .channel("notifications-changes")
    // This also reports notifications that are read or cleared in another window.
    .on("postgres_changes", { event: "*", schema: "public", table: "notifications" }, listener.onNotification)
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: "waiver_templates" },
      listener.onTemplateSaved,
    )
    .on("postgres_changes", { ...inserts, table: "sent_waivers" }, listener.onWaiverChanged)
    // These two report, for example, that a waiver was cancelled or revoked, or that a guest has invited an adult.
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: "waiver_sessions" },
      listener.onWaiverChanged,
    )
    .on("postgres_changes", { ...updates, table: "signed_waivers" }, listener.onWaiverChanged)
    .subscribe(onStatus("other changes"));
  return () => {
    void realtime.removeChannel(waivers);
    void realtime.removeChannel(otherChanges);
  };
}

async function enableRealtime(supabase: ApiClient): Promise<void> {
  const { error } = await supabase.rest.rpc("enable_realtime_for_table", { table_name: "signed_waivers" });
  if (error) console.error("Realtime could not be enabled:", error.message);
}
