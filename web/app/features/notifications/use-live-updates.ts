import type { RealtimeClient } from "@supabase/realtime-js";
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SignedWaiverRow } from "~/lib/database";
import { throttle } from "~/lib/throttle";
import { isUnreachable, onReachChange } from "~/lib/reach";
import { apiClient, realtimeClient, type ApiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { notificationsQuery } from "./api/notifications";
import { signedMessage } from "./model";

/** Keeps an open page up to date when data changes elsewhere, and shows a toast for each new signature. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresherOf = (...keys: string[]) =>
      // Throttled, because many waivers may be signed within a second and each would repeat the same requests.
      throttle(() => {
        for (const key of keys) void queries.invalidateQueries({ queryKey: [key], predicate: isNotRetrying });
      }, 1_000);
    const refreshWaivers = refresherOf("waivers");
    const refreshTemplates = refresherOf("templates", "template-versions");
    const refreshNotifications = refresherOf(...notificationsQuery.queryKey);
    const stop = listen({
      signed: (waiver) => {
        refreshWaivers();
        toast(signedMessage(waiver));
      },
      sent: refreshWaivers,
      notified: refreshNotifications,
      written: refreshTemplates,
      // Fetch what changed before the connection was open or while it was interrupted.
      joined: () => {
        refreshWaivers();
        refreshTemplates();
        refreshNotifications();
      },
    });
    return stop;
  }, [queries]);
}

type Listener = {
  signed: (waiver: Pick<SignedWaiverRow, "signer_name" | "template_name">) => void;
  sent: () => void;
  notified: () => void;
  written: () => void;
  joined: () => void;
};

function listen(listener: Listener): () => void {
  let isClosed = false;
  let stop: (() => void) | undefined;
  const open = async () => {
    const [supabase, realtime] = await Promise.all([apiClient(), realtimeClient()]);
    void enableRealtime(supabase);
    await realtime.setAuth();
    if (!isClosed) stop ??= subscribe(realtime, listener);
  };
  // A page opened without a network can only connect once the server can be reached.
  const openIfClosed = () => {
    if (!stop && !isUnreachable()) void open().catch(() => undefined);
  };
  const unsubscribe = onReachChange(openIfClosed);
  openIfClosed();
  return () => {
    isClosed = true;
    unsubscribe();
    stop?.();
  };
}

/** A failing query keeps its own retry delays. */
function isNotRetrying({ state }: Query): boolean {
  return state.fetchStatus === "idle" || state.fetchFailureCount === 0;
}

function subscribe(realtime: RealtimeClient, listener: Listener): () => void {
  const joined = new Set<string>();
  const onStatus = (channel: string) => (status: string) => {
    if (status !== "SUBSCRIBED") joined.delete(channel);
    else if (joined.add(channel).size === 2) listener.joined();
  };
  const inserts = { event: "INSERT", schema: "public" } as const;
  const waivers = realtime
    .channel("signed-waivers-changes")
    .on<SignedWaiverRow>("postgres_changes", { ...inserts, table: "signed_waivers" }, ({ new: row }) =>
      listener.signed(row),
    )
    .subscribe(onStatus("waivers"));
  const notifications = realtime
    .channel("notifications-changes")
    // Includes what is read or cleared in another window.
    .on("postgres_changes", { event: "*", schema: "public", table: "notifications" }, listener.notified)
    .on("postgres_changes", { event: "*", schema: "public", table: "waiver_templates" }, listener.written)
    .on("postgres_changes", { ...inserts, table: "sent_waivers" }, listener.sent)
    .subscribe(onStatus("notifications"));
  return () => {
    void realtime.removeChannel(waivers);
    void realtime.removeChannel(notifications);
  };
}

async function enableRealtime(supabase: ApiClient): Promise<void> {
  const { error } = await supabase.rest.rpc("enable_realtime_for_table", { table_name: "signed_waivers" });
  if (error) console.error("Realtime could not be enabled:", error.message);
}
