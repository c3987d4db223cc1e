import { FunctionsClient } from "@supabase/functions-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { noticingBlocks } from "./blocked";
import type { Database } from "./database";
import { attentive } from "./reach";

export type Client = { rest: PostgrestClient<Database>; functions: FunctionsClient };

export function createClient(origin: string, key: string, accessToken: () => Promise<string>): Client {
  const asCaller: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("apikey", key);
    headers.set("Authorization", `Bearer ${await accessToken()}`);
    return attentive(input, { ...init, headers });
  };
  return {
    // Asking again is the query cache's business; two who retry would multiply.
    rest: new PostgrestClient<Database>(`${origin}/rest/v1`, { fetch: asCaller, retry: false }),
    functions: new FunctionsClient(`${origin}/functions/v1`, {
      customFetch: noticingBlocks(asCaller),
    }),
  };
}
