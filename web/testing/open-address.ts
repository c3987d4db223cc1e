import { captureRedirect } from "~/lib/auth-redirect";
import { sessionOf } from "./server";

/** Opens an address as an emailed link or an OAuth sign-in would redirect to it. */
export function openAddress(address: string): void {
  window.history.replaceState(null, "", address);
  captureRedirect();
}

/** The URL fragment to which the server redirects after a valid emailed link. */
export function sessionFragment(person: { id: string; email: string }, type: string): string {
  const { access_token, refresh_token } = sessionOf(person);
  return `#${new URLSearchParams({ access_token, refresh_token, expires_in: "3600", sb: "", token_type: "bearer", type })}`;
}
