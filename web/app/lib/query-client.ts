import { onlineManager, QueryClient } from "@tanstack/react-query";
import { isUnreachable, onConnectionChange, connectionState, Unreachable } from "./connection";
import { RequestFailed } from "./request-failed";

const NOT_RETRIED_STATUSES = new Set([401, 404]);

declare module "@tanstack/react-query" {
  interface Register {
    /** `withoutSecrets` returns the data that may be kept on the device. By default, all of it is kept. */
    queryMeta: { keepOffline?: boolean; withoutSecrets?: (data: unknown) => unknown };
  }
}

/** A query with this `meta` keeps its data on the device for use offline. */
export const KEEP_OFFLINE = { keepOffline: true };

export function shouldRetry(failureCount: number, error: Error): boolean {
  if (error instanceof RequestFailed && NOT_RETRIED_STATUSES.has(error.status)) return false;
  // The query runs again as soon as the server responds.
  if (error instanceof Unreachable) return false;
  return failureCount < 3;
}

export function retryDelayMs(failureCount: number): number {
  return Math.min(1_000 * 2 ** failureCount, 30_000);
}

/** The whole app shares one client, so that the page after sign-in already has the account. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, retryDelay: retryDelayMs, gcTime: 5 * 60_000, staleTime: 15_000 },
    // A change that cannot be saved fails immediately. Saving it an hour later would surprise the user.
    mutations: { networkMode: "always" },
  },
});

const updateOnlineManager = () => onlineManager.setOnline(connectionState() !== "offline");
// By default the client listens to the browser's online events, which are wrong in some browsers.
onlineManager.setEventListener(() => undefined);
updateOnlineManager();

/** When the server responds again, failed queries and those that may show an offline copy are refetched. */
onConnectionChange(() => {
  updateOnlineManager();
  if (isUnreachable()) return;
  void queryClient.invalidateQueries({
    predicate: ({ meta, state }) => meta?.keepOffline === true || state.status === "error",
  });
});
