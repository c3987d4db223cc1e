import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "./database";

export type Client = SupabaseClient<Database>;

let client: Promise<Client> | undefined;

/** Loaded on first use: a visitor who only looks at a page does not wait for the client. */
export function connect(): Promise<Client> {
  client ??= import("@supabase/supabase-js").then(({ createClient }) =>
    createClient<Database>(window.location.origin, anonKey(), {
      auth: { storageKey: SESSION_KEY },
      // Retrying is the query cache's business; two of them would multiply.
      db: { retry: false },
      realtime: { heartbeatIntervalMs: 30_000, timeout: 10_000, reconnectAfterMs: reconnectDelay },
    }),
  );
  return client;
}

const SESSION_KEY = "sb-cairn-auth-token";

/** Says only that it is worth asking; whether the session is good, and whose it is, the server tells. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(SESSION_KEY) !== null;
}

export function reconnectDelay(tries: number): number {
  return [1_000, 2_000, 5_000][tries - 1] ?? 10_000;
}

function anonKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}
