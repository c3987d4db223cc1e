import { anonKey } from "~/lib/anon-key";
import { requestAuth } from "~/lib/api";
import { storedSession } from "~/lib/stored-session";

/**
 * Checks the password of the signed-in user by signing in with it. This starts a second session, which is ended at once.
 */
export async function confirmPassword(password: string): Promise<void> {
  const email = storedSession()?.user.email;
  const { access_token } = await requestAuth<{ access_token: string }>("/token?grant_type=password", {
    email,
    password,
  });
  const headers = { apikey: anonKey(), Authorization: `Bearer ${access_token}` };
  // The password was right. A session that could not be ended expires by itself.
  const url = `${window.location.origin}/auth/v1/logout?scope=local`;
  await fetch(url, { method: "POST", headers }).catch(() => undefined);
}

/** Users who have only signed in with Google have no password, nor do users whose password the server has removed. */
export function hasPassword(): boolean {
  const metadata = storedSession()?.user.app_metadata;
  return (metadata?.providers?.includes("email") ?? true) && !metadata?.password_removed;
}
