import type { AuthClient, OpeningResult } from "./auth-client";
import { pendingRedirect, takeRedirect, type AuthRedirect } from "./auth-redirect";
import { startRecovery } from "./browser-cache";
import { SESSION_KEY } from "./stored-session";

/** `error` is null if the redirect contained no session or if its session was opened. */
export type RedirectResult = { redirect: AuthRedirect; error: Error | null };

let loadedAuthClient: Promise<AuthClient> | undefined;
let loadedOAuthClient: Promise<AuthClient> | undefined;

/**
 * Returns the client that signs in and out and refreshes the session. If the URL contains a session, it is opened
 * first.
 */
export async function authClient(): Promise<AuthClient> {
  await waitForRedirect();
  return loadAuthClient();
}

function loadAuthClient(): Promise<AuthClient> {
  loadedAuthClient ??= import("./auth-client").then(({ createAuthClient }) => createAuthClient(SESSION_KEY));
  return loadedAuthClient;
}

/** Returns the client that starts OAuth sign-ins. Only the tab that started a sign-in can use the returned code. */
export function oauthClient(): Promise<AuthClient> {
  loadedOAuthClient ??= import("./auth-client").then(({ createOAuthClient }) => createOAuthClient());
  return loadedOAuthClient;
}

let redirectHandling: Promise<void> = Promise.resolve();
let isExchanging = false;
let pendingResult: RedirectResult | null = null;

/** Resolves after the redirect in the URL has been handled. Only then is it known whether the user is signed in. */
export function waitForRedirect(): Promise<void> {
  const redirect = takeRedirect();
  if (redirect) {
    isExchanging = opensSession(redirect);
    redirectHandling = exchangeRedirect(redirect).then((result) => {
      isExchanging = false;
      if (result !== "declined") pendingResult = { redirect, error: result };
    });
  }
  return redirectHandling;
}

/** Returns the result of the redirect to the first caller, which shows it. Later calls return null. */
export async function takeRedirectResult(): Promise<RedirectResult | null> {
  await waitForRedirect();
  const result = pendingResult;
  pendingResult = null;
  return result;
}

/** Tells whether the redirect in the URL is about to open a session. */
export function isSigningIn(): boolean {
  return isExchanging || opensSession(pendingRedirect());
}

const opensSession = (redirect: AuthRedirect | null): boolean =>
  redirect?.kind === "session" || redirect?.kind === "code";

async function exchangeRedirect(redirect: AuthRedirect): Promise<OpeningResult> {
  if (!opensSession(redirect)) return null;
  try {
    const { openRedirectSession } = await import("./auth-client");
    const result = await openRedirectSession(redirect, await loadAuthClient(), oauthClient);
    if (!result && redirect.kind === "session" && redirect.type === "recovery") startRecovery();
    return result;
  } catch (error) {
    return error instanceof Error ? error : new Error("The session could not be opened.");
  }
}
