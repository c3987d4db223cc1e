/** What a mailed link or a sign-in elsewhere brought back in the address of the page. */
export type Arrival =
  | { kind: "session"; accessToken: string; refreshToken: string; from: string }
  | { kind: "code"; code: string }
  | { kind: "refused"; code: string; message: string }
  | { kind: "told"; message: string };

const OURS = ["code", "error", "error_code", "error_description", "message", "sb"];

export function readArrival(address: URL): Arrival | null {
  const told = new URLSearchParams(address.hash.slice(1));
  const fact = (name: string) => told.get(name) ?? address.searchParams.get(name) ?? "";
  const [accessToken, refreshToken] = [told.get("access_token"), told.get("refresh_token")];
  if (accessToken && refreshToken) {
    return { kind: "session", accessToken, refreshToken, from: told.get("type") ?? "" };
  }
  if (fact("error")) {
    return { kind: "refused", code: fact("error_code"), message: fact("error_description") || fact("error") };
  }
  const code = address.searchParams.get("code");
  if (code) return { kind: "code", code };
  return told.has("sb") && fact("message") ? { kind: "told", message: fact("message") } : null;
}

/** The same place without what was brought. */
export function placeOf(address: URL): string {
  const query = new URLSearchParams(address.search);
  for (const name of OURS) query.delete(name);
  return address.pathname + (query.size > 0 ? `?${query}` : "");
}

let brought: Arrival | null = null;

/**
 * Takes it out of the address before the router reads that: a key must not stay in the history of the browser, nor
 * travel on to the next page.
 */
export function noticeArrival(): void {
  const address = new URL(window.location.href);
  brought = readArrival(address);
  if (brought) window.history.replaceState(window.history.state, "", placeOf(address));
}

export const broughtAlong = (): Arrival | null => brought;

/** For whoever acts on it; nobody acts on it twice. */
export function takeArrival(): Arrival | null {
  const taken = brought;
  brought = null;
  return taken;
}
