import { SIGNING_REFUSALS, refusalCode } from "../app/lib/refusals";

export type RestResult<Row> =
  | { kind: "row"; row: Row }
  | { kind: "refused"; code: string; message: string; details?: unknown }
  | { kind: "unreachable" };

export type RestRequest = <Row>(
  method: "GET" | "POST",
  path: string,
  body?: object,
) => Promise<RestResult<Row>>;

const REQUEST_TIMEOUT_MS = 20_000;

/**
 * Sends plain requests to the REST API, because the client library would be twice the size of this page. If the token
 * is rejected, the request is repeated with the public key, so that an expired company session never blocks a
 * signature.
 */
export function restClient(anonKey: string, token = anonKey): RestRequest {
  const headers = {
    apikey: anonKey,
    Authorization: `Bearer ${token}`,
    Accept: "application/vnd.pgrst.object+json",
    "Content-Type": "application/json",
    Prefer: "return=representation",
  };
  return async function request(method, path, body) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), REQUEST_TIMEOUT_MS);
    try {
      const response = await fetch(`/rest/v1/${path}`, {
        method,
        headers,
        signal: controller.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.status === 401 && token !== anonKey) {
        token = anonKey;
        headers.Authorization = `Bearer ${anonKey}`;
        return await request(method, path, body);
      }
      if (isTemporary(response.status)) return { kind: "unreachable" };
      const json = await response.json().catch(() => null);
      // A captive portal returns its own page with status 200, so a body that is not JSON did not come from our server.
      if (response.ok) return json ? { kind: "row", row: json } : { kind: "unreachable" };
      const code = refusalCode(json?.details) ?? json?.code ?? "";
      return {
        kind: "refused",
        code,
        message: SIGNING_REFUSALS[code] ?? json?.message ?? response.statusText,
        details: json?.details,
      };
    } catch {
      return { kind: "unreachable" };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Tells whether a retry can succeed, because the server is overloaded or restarting, or a proxy cannot reach it. */
function isTemporary(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504);
}
