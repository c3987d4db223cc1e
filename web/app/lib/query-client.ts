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

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: mayRetry, retryDelay, gcTime: 5 * 60_000, staleTime: 15_000 },
    },
  });
}
