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

/** Keeps an open page true: what is signed, sent or written elsewhere shows up here, a signature with a word about it. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const asksAgain = (...keys: string[]) =>
      // A busy morning brings many signatures in a second; each would start the same questions anew.
      throttle(() => {
        for (const key of keys)
          void queries.invalidateQueries({ queryKey: [key], predicate: isNotWaitingToTryAgain });
      }, 1_000);
    const refreshWaivers = asksAgain("waivers");
    const refreshTemplates = asksAgain("templates", "template-versions");
    const refreshBell = asksAgain(...notificationsQuery.queryKey);
    const stop = listen({
      signed: (waiver) => {
        refreshWaivers();
        toast(signedMessage(waiver));
      },
      sent: refreshWaivers,
      notified: refreshBell,
      written: refreshTemplates,
      // Whatever happened before the line stood, or while it was down, is asked for once it does.
      joined: () => {
        refreshWaivers();
        refreshTemplates();
        refreshBell();
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
  let left = false;
  let stop: (() => void) | undefined;
  const open = async () => {
    const [supabase, line] = await Promise.all([apiClient(), realtimeClient()]);
    void enableRealtime(supabase);
    await line.setAuth();
    if (!left) stop ??= subscribe(line, listener);
  };
  // Whoever opens the page without a network has no line, and no key for one, until the server is back in reach.
  const openIfClosed = () => {
    if (!stop && !isUnreachable()) void open().catch(() => undefined);
  };
  const stopWaiting = onReachChange(openIfClosed);
  openIfClosed();
  return () => {
    left = true;
    stopWaiting();
    stop?.();
  };
}

/** One that fails keeps to its own pauses between two tries. */
function isNotWaitingToTryAgain({ state }: Query): boolean {
  return state.fetchStatus === "idle" || state.fetchFailureCount === 0;
}

function subscribe(line: RealtimeClient, listener: Listener): () => void {
  const standing = new Set<string>();
  const isStanding = (channel: string) => (status: string) => {
    if (status !== "SUBSCRIBED") standing.delete(channel);
    else if (standing.add(channel).size === 2) listener.joined();
  };
  const inserts = { event: "INSERT", schema: "public" } as const;
  const waivers = line
    .channel("signed-waivers-changes")
    .on<SignedWaiverRow>("postgres_changes", { ...inserts, table: "signed_waivers" }, ({ new: row }) =>
      listener.signed(row),
    )
    .subscribe(isStanding("waivers"));
  const bell = line
    .channel("notifications-changes")
    // What is read or cleared in another window too.
    .on("postgres_changes", { event: "*", schema: "public", table: "notifications" }, listener.notified)
    .on("postgres_changes", { event: "*", schema: "public", table: "waiver_templates" }, listener.written)
    .on("postgres_changes", { ...inserts, table: "sent_waivers" }, listener.sent)
    .subscribe(isStanding("bell"));
  return () => {
    void line.removeChannel(waivers);
    void line.removeChannel(bell);
  };
}

async function enableRealtime(supabase: ApiClient): Promise<void> {
  const { error } = await supabase.rest.rpc("enable_realtime_for_table", { table_name: "signed_waivers" });
  if (error) console.error("Realtime could not be enabled:", error.message);
}
