import { QueryClient } from "@tanstack/react-query";
import { RequestFailed } from "./request";

const FINAL = new Set([401, 404]);

export function mayRetry(failures: number, error: Error): boolean {
  if (error instanceof RequestFailed && FINAL.has(error.status)) return false;
  return failures < 3;
}

export function retryDelay(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 30_000);
}

/** One for the whole app, so that what sign-in has read is known to the page it leads to. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: mayRetry, retryDelay, gcTime: 5 * 60_000, staleTime: 15_000 },
  },
});
