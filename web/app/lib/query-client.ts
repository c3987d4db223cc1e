import { onlineManager, QueryClient } from "@tanstack/react-query";
import { isUnreachable, onReachChange, currentReach, Unreachable } from "./reach";
import { RequestFailed } from "./request-failed";

const FINAL_STATUSES = new Set([401, 404]);

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { keepOffline?: boolean };
  }
}

/** The `meta` of a query whose data is kept on the device for use offline. */
export const KEEP_OFFLINE = { keepOffline: true };

export function shouldRetry(failures: number, error: Error): boolean {
  if (error instanceof RequestFailed && FINAL_STATUSES.has(error.status)) return false;
  // The query runs again as soon as the server responds.
  if (error instanceof Unreachable) return false;
  return failures < 3;
}

export function retryDelay(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 30_000);
}

/** One client for the whole app, so that the page after sign-in already has the account. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, retryDelay, gcTime: 5 * 60_000, staleTime: 15_000 },
    // A change that cannot be saved fails immediately. Saving it an hour later would surprise the user.
    mutations: { networkMode: "always" },
  },
});

const followReach = () => onlineManager.setOnline(currentReach() !== "offline");
onlineManager.setEventListener(() => undefined);
followReach();

/** When the server responds again, data shown from the device and failed queries are fetched again. */
onReachChange(() => {
  followReach();
  if (isUnreachable()) return;
  void queryClient.invalidateQueries({
    predicate: ({ meta, state }) => meta?.keepOffline === true || state.status === "error",
  });
});
