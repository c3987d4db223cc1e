import { AuthClient as SupabaseAuthClient } from "@supabase/auth-js";
import { accountName, chooseAccount } from "./account-choice";
import { anonKey } from "./anon-key";
import type { AuthRedirect } from "./auth-redirect";
import { trackedFetch } from "./connection";
import { storedSession } from "./stored-session";

export type AuthClient = InstanceType<typeof SupabaseAuthClient>;

export function createAuthClient(storageKey: string): AuthClient {
  return new SupabaseAuthClient({
    ...connectionOptions(),
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
export function createOAuthClient(): AuthClient {
  return new SupabaseAuthClient({
    ...connectionOptions(),
    storageKey: OAUTH_STORAGE_KEY,
    storage: window.sessionStorage,
    flowType: "pkce",
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });
}

const connectionOptions = () => ({
  url: `${window.location.origin}/auth/v1`,
  headers: { apikey: anonKey(), Authorization: `Bearer ${anonKey()}` },
});

/** Creates the client that checks the session of a link. It stores nothing, so the user stays signed in as before. */
const createLinkClient = () =>
  new SupabaseAuthClient({
    ...connectionOptions(),
    storageKey: "sb-cairn-link",
    fetch: trackedFetch,
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });

/** The result is null if the session was opened, and "declined" if the user chose to stay in the current account. */
export type OpeningResult = Error | "declined" | null;

/** Opens the session that the redirect contains. */
export async function openRedirectSession(
  redirect: AuthRedirect,
  auth: AuthClient,
  oauth: () => Promise<AuthClient>,
): Promise<OpeningResult> {
  if (redirect.kind === "session") {
    const { accessToken: access_token, refreshToken: refresh_token } = redirect;
    return openLinkSession({ access_token, refresh_token }, auth);
  }
  if (redirect.kind !== "code") return null;
  const { data, error } = await (await oauth()).exchangeCodeForSession(redirect.code);
  window.sessionStorage.removeItem(OAUTH_STORAGE_KEY);
  return error ?? (await auth.setSession(data.session)).error;
}

type Tokens = { access_token: string; refresh_token: string };

/**
 * Asks the user first if the session belongs to another account than the one that is signed in. The server says to whom
 * it belongs, because anyone can write any user into the token of a link.
 */
async function openLinkSession(tokens: Tokens, auth: AuthClient): Promise<OpeningResult> {
  const current = storedSession();
  if (!current) return (await auth.setSession(tokens)).error;
  const { data, error } = await createLinkClient().setSession(tokens);
  if (error) return error;
  if (!data.session) return new Error("The session could not be opened.");
  const isSameAccount = data.session.user.id === current.user.id;
  if (!isSameAccount && !(await chooseAccount(accountName(data.session.user), accountName(current.user)))) {
    return "declined";
  }
  return (await auth.setSession(data.session)).error;
}
