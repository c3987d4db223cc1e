/** What an emailed link or an OAuth sign-in put into the address of the page it redirected to. */
export type AuthRedirect =
  | { kind: "session"; accessToken: string; refreshToken: string; type: string }
  | { kind: "code"; code: string }
  | { kind: "error"; code: string; message: string }
  | { kind: "message"; message: string };

const QUERY_PARAMETERS = ["code", "error", "error_code", "error_description", "message", "sb"];

export function parseRedirect(address: URL): AuthRedirect | null {
  const fragment = new URLSearchParams(address.hash.slice(1));
  const parameter = (name: string) => fragment.get(name) ?? address.searchParams.get(name) ?? "";
  const [accessToken, refreshToken] = [fragment.get("access_token"), fragment.get("refresh_token")];
  if (accessToken && refreshToken) {
    return { kind: "session", accessToken, refreshToken, type: fragment.get("type") ?? "" };
  }
  if (parameter("error")) {
    const message = parameter("error_description") || parameter("error");
    return { kind: "error", code: parameter("error_code"), message };
  }
  const code = address.searchParams.get("code");
  if (code) return { kind: "code", code };
  const message = fragment.has("sb") && parameter("message");
  return message ? { kind: "message", message } : null;
}

/** The path and query of the address without the redirect's parameters. */
export function withoutRedirect(address: URL): string {
  const query = new URLSearchParams(address.search);
  for (const name of QUERY_PARAMETERS) query.delete(name);
  return address.pathname + (query.size > 0 ? `?${query}` : "");
}

let pending: AuthRedirect | null = null;

/**
 * Takes the redirect out of the address before the router reads it: a token must not stay in the browser's history, nor
 * be carried to the next page.
 */
export function captureRedirect(): void {
  const address = new URL(window.location.href);
  pending = parseRedirect(address);
  if (pending) window.history.replaceState(window.history.state, "", withoutRedirect(address));
}

export const pendingRedirect = (): AuthRedirect | null => pending;

/** Returns the redirect to its one handler; later calls return null. */
export function takeRedirect(): AuthRedirect | null {
  const taken = pending;
  pending = null;
  return taken;
}
