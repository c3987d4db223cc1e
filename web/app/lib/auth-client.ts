import { AuthClient } from "@supabase/auth-js";
import type { Arrival } from "./arrival";
import { attentive } from "./reach";
import type { Auth } from "./supabase";

export function createAuth(origin: string, key: string, storageKey: string): Auth {
  return new AuthClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey,
    fetch: attentive,
    // What the address brings is taken out of it before the router starts; see arrival.ts.
    detectSessionInUrl: false,
  });
}

const TRIP = "sb-cairn-trip";

/**
 * Signing in elsewhere, by PKCE: what comes back in the address is worth something in this tab alone. Mailed links
 * cannot be like that, because they are often opened on another device than the one that asked.
 */
export function createTraveller(origin: string, key: string): Auth {
  return new AuthClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey: TRIP,
    storage: window.sessionStorage,
    flowType: "pkce",
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });
}

/** Makes a session out of what was brought; answers why not, if not. */
export async function enter(
  brought: Arrival,
  auth: Auth,
  traveller: () => Promise<Auth>,
): Promise<Error | null> {
  if (brought.kind === "session") {
    const { accessToken: access_token, refreshToken: refresh_token } = brought;
    return (await auth.setSession({ access_token, refresh_token })).error;
  }
  if (brought.kind !== "code") return null;
  const { data, error } = await (await traveller()).exchangeCodeForSession(brought.code);
  window.sessionStorage.removeItem(TRIP);
  return error ?? (await auth.setSession(data.session)).error;
}
