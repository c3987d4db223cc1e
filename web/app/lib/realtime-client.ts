import { RealtimeClient } from "@supabase/realtime-js";
import type { AuthClient } from "./auth-client";

export function createRealtimeClient(
  origin: string,
  key: string,
  accessToken: () => Promise<string>,
  auth: AuthClient,
): RealtimeClient {
  const line = new RealtimeClient(`${origin.replace(/^http/, "ws")}/realtime/v1`, {
    params: { apikey: key },
    accessToken,
    heartbeatIntervalMs: 30_000,
    timeout: 10_000,
    reconnectAfterMs: reconnectDelay,
  });
  // The server stops telling at the end of a token, and once there is a second factor that it does not know of; the
  // next one is handed over as soon as it is there.
  auth.onAuthStateChange((event, session) => {
    if ((event === "TOKEN_REFRESHED" || event === "MFA_CHALLENGE_VERIFIED") && session)
      void line.setAuth(session.access_token);
  });
  return line;
}

export function reconnectDelay(tries: number): number {
  return [1_000, 2_000, 5_000][tries - 1] ?? 10_000;
}
