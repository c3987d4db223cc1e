import { captureRedirect } from "~/lib/auth-redirect";
import { sessionOf } from "./server";

/** The browser opens this address, as a mailed link or a sign-in elsewhere left it. */
export function openAddress(address: string): void {
  window.history.replaceState(null, "", address);
  captureRedirect();
}

/** What the server puts behind the address when a mailed link was good. */
export function sessionFragment(person: { id: string; email: string }, type: string): string {
  const { access_token, refresh_token } = sessionOf(person);
  return `#${new URLSearchParams({ access_token, refresh_token, expires_in: "3600", sb: "", token_type: "bearer", type })}`;
}
