import { AuthClient as SupabaseAuthClient } from "@supabase/auth-js";
import type { AuthRedirect } from "./auth-redirect";
import { trackedFetch } from "./reach";

export type AuthClient = InstanceType<typeof SupabaseAuthClient>;

export function createAuthClient(origin: string, key: string, storageKey: string): AuthClient {
  return new SupabaseAuthClient({
    ...endpoint(origin, key),
    storageKey,
    fetch: trackedFetch,
    // The redirect is taken out of the address before the router starts; see auth-redirect.ts.
    detectSessionInUrl: false,
  });
}

const OAUTH_STORAGE_KEY = "sb-cairn-oauth";

/**
 * For OAuth sign-ins, which use PKCE: the code in the address is worthless outside this tab. Emailed links cannot use
 * PKCE, because they are often opened on another device than the one that requested them.
 */
export function createOAuthClient(origin: string, key: string): AuthClient {
  return new SupabaseAuthClient({
    ...endpoint(origin, key),
    storageKey: OAUTH_STORAGE_KEY,
    storage: window.sessionStorage,
    flowType: "pkce",
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });
}

const endpoint = (origin: string, key: string) => ({
  url: `${origin}/auth/v1`,
  headers: { apikey: key, Authorization: `Bearer ${key}` },
});

/** Opens a session from the redirect; returns the error when that fails. */
export async function openRedirectSession(
  redirect: AuthRedirect,
  auth: AuthClient,
  oauth: () => Promise<AuthClient>,
): Promise<Error | null> {
  if (redirect.kind === "session") {
    const { accessToken: access_token, refreshToken: refresh_token } = redirect;
    return (await auth.setSession({ access_token, refresh_token })).error;
  }
  if (redirect.kind !== "code") return null;
  const { data, error } = await (await oauth()).exchangeCodeForSession(redirect.code);
  window.sessionStorage.removeItem(OAUTH_STORAGE_KEY);
  return error ?? (await auth.setSession(data.session)).error;
}
