import { anonKey } from "./anon-key";
import type { AuthClient } from "./auth-client";
import { pendingRedirect, takeRedirect, type AuthRedirect } from "./auth-redirect";
import { startRecovery } from "./browser-cache";
import { SESSION_KEY } from "./stored-session";

/** `error` is null when the redirect needed no session, or when its session was opened. */
export type RedirectResult = { redirect: AuthRedirect; error: Error | null };

let mainClient: Promise<AuthClient> | undefined;
let redirectClient: Promise<AuthClient> | undefined;

/** Signs in and out, and refreshes the session. A session in the page's address is opened first. */
export async function authClient(): Promise<AuthClient> {
  await redirectHandled();
  return createdAuthClient();
}

function createdAuthClient(): Promise<AuthClient> {
  mainClient ??= import("./auth-client").then(({ createAuthClient }) =>
    createAuthClient(window.location.origin, anonKey(), SESSION_KEY),
  );
  return mainClient;
}

/** Starts an OAuth sign-in. Only the tab that started it can exchange the code that comes back. */
export function oauthClient(): Promise<AuthClient> {
  redirectClient ??= import("./auth-client").then(({ createOAuthClient }) =>
    createOAuthClient(window.location.origin, anonKey()),
  );
  return redirectClient;
}

let handling: Promise<void> = Promise.resolve();
let isExchanging = false;
let result: RedirectResult | null = null;

/** Resolves once the redirect in the page's address has been dealt with, so that the session is known. */
export function redirectHandled(): Promise<void> {
  const redirect = takeRedirect();
  if (redirect) {
    isExchanging = opensSession(redirect);
    handling = exchangeRedirect(redirect).then((error) => {
      isExchanging = false;
      result = { redirect, error };
    });
  }
  return handling;
}

/** Returns the result once, to the component that shows it; null when there is none or it was taken before. */
export async function takeRedirectResult(): Promise<RedirectResult | null> {
  await redirectHandled();
  const taken = result;
  result = null;
  return taken;
}

/** Whether the redirect in the page's address is about to open a session. */
export function isSigningIn(): boolean {
  return isExchanging || opensSession(pendingRedirect());
}

const opensSession = (redirect: AuthRedirect | null): boolean =>
  redirect?.kind === "session" || redirect?.kind === "code";

async function exchangeRedirect(redirect: AuthRedirect): Promise<Error | null> {
  if (!opensSession(redirect)) return null;
  try {
    const { openRedirectSession } = await import("./auth-client");
    const error = await openRedirectSession(redirect, await createdAuthClient(), oauthClient);
    if (!error && redirect.kind === "session" && redirect.type === "recovery") startRecovery();
    return error;
  } catch (error) {
    return error instanceof Error ? error : new Error("The session could not be opened.");
  }
}
