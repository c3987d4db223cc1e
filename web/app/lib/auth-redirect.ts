/**
 * An emailed link or an OAuth sign-in puts this data into the URL of the page to which it redirects. The error messages
 * in the URL are left out, because anyone can write their own text into a link, and users would take it for ours.
 */
export type AuthRedirect =
  | { kind: "session"; accessToken: string; refreshToken: string; type: string }
  | { kind: "code"; code: string }
  | { kind: "error"; code: string }
  /** A change of the email address is confirmed from one of the two addresses, and not yet from the other one. */
  | { kind: "half-confirmed" };

/** The server puts the empty parameter `sb` into every redirect, as Supabase does. */
const REDIRECT_PARAMETERS = ["code", "error", "error_code", "error_description", "message", "sb"];

export function parseRedirect(url: URL): AuthRedirect | null {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const parameter = (name: string) => fragment.get(name) ?? url.searchParams.get(name) ?? "";
  const [accessToken, refreshToken] = [fragment.get("access_token"), fragment.get("refresh_token")];
  if (accessToken && refreshToken) {
    return { kind: "session", accessToken, refreshToken, type: fragment.get("type") ?? "" };
  }
  if (parameter("error")) return { kind: "error", code: parameter("error_code") };
  const code = url.searchParams.get("code");
  if (code) return { kind: "code", code };
  // The first of the two links that confirm a change of address redirects with a message.
  return fragment.has("sb") && parameter("message") ? { kind: "half-confirmed" } : null;
}

/** Returns the path and query of the URL without the parameters of the redirect. */
export function withoutRedirect(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of REDIRECT_PARAMETERS) query.delete(name);
  return url.pathname + (query.size > 0 ? `?${query}` : "");
}

let capturedRedirect: AuthRedirect | null = null;

/**
 * Removes the redirect from the URL before the router reads it. A token must neither stay in the browser's history nor
 * be passed to the next page.
 */
export function captureRedirect(): void {
  const url = new URL(window.location.href);
  capturedRedirect = parseRedirect(url);
  if (capturedRedirect) window.history.replaceState(window.history.state, "", withoutRedirect(url));
}

export const pendingRedirect = (): AuthRedirect | null => capturedRedirect;

/** Returns the redirect to the first caller. Later calls return null. */
export function takeRedirect(): AuthRedirect | null {
  const redirect = capturedRedirect;
  capturedRedirect = null;
  return redirect;
}
