import { anonKey } from "./anon-key";
import { authClient, isSigningIn, waitForRedirect } from "./auth";
import { unreachableMessage } from "./connection";
import { RequestFailed } from "./request-failed";
import {
  freshSession,
  needsSecondFactor,
  SESSION_KEY,
  storedSession,
  type StoredSession,
} from "./stored-session";

/** Returns true if there may be a session. Only the server knows whether the session is valid. */
export function mayBeSignedIn(): boolean {
  return isSigningIn() || localStorage.getItem(SESSION_KEY) !== null;
}

/** Tells whether the signed-in user still has to enter a second factor. */
export const isSecondFactorPending = (): boolean => needsSecondFactor(storedSession());

export async function signedInUserId(): Promise<string | null> {
  const session = await currentSession();
  return session?.user.id ?? null;
}

/** Returns the user's token, or the public key if no one is signed in. */
export async function accessToken(): Promise<string> {
  const session = await currentSession();
  return session?.access_token ?? anonKey();
}

/** Returns the stored session, refreshed if it expires soon. The auth client is loaded only for a refresh. */
async function currentSession(): Promise<Pick<StoredSession, "access_token" | "user"> | null> {
  await waitForRedirect();
  const storedText = localStorage.getItem(SESSION_KEY);
  if (storedText === null) return null;
  const session = freshSession(storedText, Date.now());
  if (session) return session;
  const { data, error } = await (await authClient()).getSession();
  // If the refresh failed for lack of a response, the user may still be signed in. Continuing as an anonymous user would
  // show empty lists.
  if (error?.name === "AuthRetryableFetchError") throw new RequestFailed(unreachableMessage(), 0, "");
  return data.session;
}
