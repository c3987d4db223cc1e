import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { apiClient, realtimeClient } from "~/lib/api";
import { unwrap } from "~/lib/request";

const isSignedQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["is-signed", sessionId],
    queryFn: async () => {
      const { rest } = await apiClient();
      const { status } = await unwrap(
        rest.from("waiver_sessions").select("status").eq("id", sessionId).single(),
      );
      return status === "signed";
    },
    gcTime: 0,
  });

/** Tells whether the session is signed. The value changes as soon as someone signs it on another device. */
export function useIsSigned(sessionId: string): boolean {
  const queries = useQueryClient();
  useEffect(
    () => watchSignatures(sessionId, () => void queries.invalidateQueries(isSignedQuery(sessionId))),
    [queries, sessionId],
  );
  return useQuery(isSignedQuery(sessionId)).data ?? false;
}

/** Calls `onChange` when the session may have been signed. Returns a function that stops watching. */
function watchSignatures(sessionId: string, onChange: () => void): () => void {
  let isStopped = false;
  let leave: (() => void) | undefined;
  const open = async () => {
    const realtime = await realtimeClient();
    await realtime.setAuth();
    if (isStopped) return;
    const channel = realtime
      .channel(`signatures of ${sessionId}`)
      .on(
        "postgres_changes",
        { event: "INSERT", schema: "public", table: "signed_waivers", filter: `session_id=eq.${sessionId}` },
        onChange,
      )
      // The session may have been signed before the channel was joined, or while the connection was interrupted.
      .subscribe((status: string) => status === "SUBSCRIBED" && onChange());
    leave = () => void realtime.removeChannel(channel);
  };
  void open().catch(() => undefined);
  return () => {
    isStopped = true;
    leave?.();
  };
}
