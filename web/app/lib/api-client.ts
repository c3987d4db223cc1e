import { FunctionsClient } from "@supabase/functions-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { detectBlocked } from "./blocked";
import type { Database } from "./database";
import { trackedFetch } from "./connection";

export type ApiClient = { rest: PostgrestClient<Database>; functions: FunctionsClient };

export function createApiClient(
  origin: string,
  anonKey: string,
  accessToken: () => Promise<string>,
): ApiClient {
  const authorizedFetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("apikey", anonKey);
    headers.set("Authorization", `Bearer ${await accessToken()}`);
    return trackedFetch(input, { ...init, headers });
  };
  return {
    // The query cache already retries failed requests, so this client must not.
    rest: new PostgrestClient<Database>(`${origin}/rest/v1`, { fetch: authorizedFetch, retry: false }),
    functions: new FunctionsClient(`${origin}/functions/v1`, {
      customFetch: detectBlocked(authorizedFetch),
    }),
  };
}
