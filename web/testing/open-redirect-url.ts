import { captureRedirect } from "~/lib/auth-redirect";
import { sessionOf } from "./server";

/** Opens a URL as if an emailed link or an OAuth sign-in had redirected to it. */
export function openRedirectUrl(url: string): void {
  window.history.replaceState(null, "", url);
  captureRedirect();
}

/** Returns the URL fragment to which the server redirects after a valid emailed link. */
export function sessionFragment(user: { id: string; email: string }, type: string): string {
  const { access_token, refresh_token } = sessionOf(user);
  return `#${new URLSearchParams({ access_token, refresh_token, expires_in: "3600", sb: "", token_type: "bearer", type })}`;
}
