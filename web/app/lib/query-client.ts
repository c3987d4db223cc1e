import { onlineManager, QueryClient } from "@tanstack/react-query";
import { isUnreachable, onReachChange, currentReach, Unreachable } from "./reach";
import { RequestFailed } from "./request";

const FINAL = new Set([401, 404]);

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { keepOffline?: boolean };
  }
}

/** What a query says of itself when its answer may be kept on the device. */
export const KEEP_OFFLINE = { keepOffline: true };

export function shouldRetry(failures: number, error: Error): boolean {
  if (error instanceof RequestFailed && FINAL.has(error.status)) return false;
  // It is asked for again as soon as there is somebody to ask.
  if (error instanceof Unreachable) return false;
  return failures < 3;
}

export function retryDelay(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 30_000);
}

/** One for the whole app, so that what sign-in has read is known to the page it leads to. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, retryDelay, gcTime: 5 * 60_000, staleTime: 15_000 },
    // What cannot be saved now is refused now: saved an hour later it would surprise.
    mutations: { networkMode: "always" },
  },
});

const followReach = () => onlineManager.setOnline(currentReach() !== "offline");
onlineManager.setEventListener(() => undefined);
followReach();

/** Back in reach, what was shown from the device, and what could not be shown, is asked for anew. */
onReachChange(() => {
  followReach();
  if (isUnreachable()) return;
  void queryClient.invalidateQueries({
    predicate: ({ meta, state }) => meta?.keepOffline === true || state.status === "error",
  });
});
