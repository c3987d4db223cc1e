import { anonKey } from "./anon-key";
import { authClient, isSigningIn, redirectHandled } from "./auth";
import { unreachableMessage } from "./reach";
import { RequestFailed } from "./request-failed";
import {
  freshSession,
  needsSecondFactor,
  SESSION_KEY,
  storedSession,
  type StoredSession,
} from "./stored-session";

/** True when it is worth asking the server who is signed in; only the server knows whether the session is valid. */
export function mayBeSignedIn(): boolean {
  return isSigningIn() || localStorage.getItem(SESSION_KEY) !== null;
}

/** Whether the signed-in user still has to enter a second factor. */
export const isSecondFactorPending = (): boolean => needsSecondFactor(storedSession());

export async function signedInUserId(): Promise<string | null> {
  const session = await currentSession();
  return session?.user.id ?? null;
}

/** The user's token, or the public key when no one is signed in. */
export async function accessToken(): Promise<string> {
  const session = await currentSession();
  return session?.access_token ?? anonKey();
}

/** A session that is valid for long enough is used as stored; only a refresh needs the auth client. */
async function currentSession(): Promise<Pick<StoredSession, "access_token" | "user"> | null> {
  await redirectHandled();
  const stored = localStorage.getItem(SESSION_KEY);
  if (stored === null) return null;
  const fresh = freshSession(stored, Date.now());
  if (fresh) return fresh;
  const { data, error } = await (await authClient()).getSession();
  // The refresh may or may not have reached the server. Continuing as an anonymous user would show empty lists.
  if (error?.name === "AuthRetryableFetchError") throw new RequestFailed(unreachableMessage(), 0, "");
  return data.session;
}
