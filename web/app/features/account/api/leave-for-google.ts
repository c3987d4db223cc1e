import type { Role } from "~/lib/database";
import { requestAuth } from "~/lib/api";
import { oauthClient } from "~/lib/auth";
import { paths } from "~/paths";

/** The address at which signing in with Google begins; `role` is what a newcomer becomes. */
export async function googleAddress(role: Role | null): Promise<string> {
  const { external } = await requestAuth<{ external?: { google?: boolean } }>("/settings");
  // Asked before leaving, because a refusal at the other end would cost the person this page.
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
