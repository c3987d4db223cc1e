import { requestAuth } from "~/lib/api";
import { oauthClient } from "~/lib/auth";
import { paths } from "~/paths";
import type { Role } from "../model";

/** Returns the URL that starts a Google sign-in. A new user gets the given role. */
export async function googleSignInUrl(role: Role | null): Promise<string> {
  const { external } = await requestAuth<{ external?: { google?: boolean } }>("/settings");
  // Check before leaving the page, because an error after the redirect would lose what the user has typed.
  if (!external?.google)
    throw new Error("Signing in with Google is not set up here. Use email and password.");
  const { data, error } = await (
    await oauthClient()
  ).signInWithOAuth({
    provider: "google",
    options: {
      redirectTo: window.location.origin + paths.dashboard,
      ...(role && { queryParams: { role } }),
      skipBrowserRedirect: true,
    },
  });
  if (error) throw error;
  return data.url;
}
