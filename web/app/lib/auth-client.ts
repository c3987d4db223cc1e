import { AuthClient as SupabaseAuthClient } from "@supabase/auth-js";
import type { AuthRedirect } from "./auth-redirect";
import { trackedFetch } from "./connection";

export type AuthClient = InstanceType<typeof SupabaseAuthClient>;

export function createAuthClient(origin: string, anonKey: string, storageKey: string): AuthClient {
  return new SupabaseAuthClient({
    ...connectionOptions(origin, anonKey),
    storageKey,
    fetch: trackedFetch,
    // auth-redirect.ts removes the session from the URL before the router starts.
    detectSessionInUrl: false,
  });
}

const OAUTH_STORAGE_KEY = "sb-cairn-oauth";

/**
 * Creates the client for OAuth sign-ins. They use PKCE, so the code in the URL is worthless outside this tab. Emailed
 * links cannot use PKCE, because they are often opened on another device than the one that requested them.
 */
export function createOAuthClient(origin: string, anonKey: string): AuthClient {
  return new SupabaseAuthClient({
    ...connectionOptions(origin, anonKey),
    storageKey: OAUTH_STORAGE_KEY,
    storage: window.sessionStorage,
    flowType: "pkce",
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });
}

const connectionOptions = (origin: string, anonKey: string) => ({
  url: `${origin}/auth/v1`,
  headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}` },
});

/** Opens the session that the redirect contains. Returns the error if that fails. */
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
