import { RealtimeClient } from "@supabase/realtime-js";
import type { AuthClient } from "./auth-client";

export function createRealtimeClient(
  origin: string,
  anonKey: string,
  accessToken: () => Promise<string>,
  auth: AuthClient,
): RealtimeClient {
  const realtime = new RealtimeClient(`${origin.replace(/^http/, "ws")}/realtime/v1`, {
    params: { apikey: anonKey },
    accessToken,
    heartbeatIntervalMs: 30_000,
    timeout: 10_000,
    reconnectAfterMs: reconnectDelayMs,
  });
  // The server stops sending changes when the token expires or when the user adds a second factor that the token does
  // not include. Each new token is therefore passed to the server immediately.
  auth.onAuthStateChange((event, session) => {
    if ((event === "TOKEN_REFRESHED" || event === "MFA_CHALLENGE_VERIFIED") && session)
      void realtime.setAuth(session.access_token);
  });
  return realtime;
}

export function reconnectDelayMs(attempt: number): number {
  return [1_000, 2_000, 5_000][attempt - 1] ?? 10_000;
}
