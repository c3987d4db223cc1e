/** What the data service said, or that it could not be asked. */
export type Answer<Row> =
  | { kind: "row"; row: Row }
  | { kind: "refused"; code: string; message: string }
  | { kind: "unreachable" };

export type Ask = <Row>(method: "GET" | "POST", path: string, body?: object) => Promise<Answer<Row>>;

const PATIENCE = 20_000;

/**
 * Plain requests in the data service's own words: its client library would be twice the size of this page. A token
 * that is no longer accepted is put aside: nobody's signature waits for somebody else's session.
 */
export function connect(key: string, token = key): Ask {
  const headers = {
    apikey: key,
    Authorization: `Bearer ${token}`,
    Accept: "application/vnd.pgrst.object+json",
    "Content-Type": "application/json",
    Prefer: "return=representation",
  };
  return async function ask(method, path, body) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    try {
      const response = await fetch(`/rest/v1/${path}`, {
        method,
        headers,
        signal: abort.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.status === 401 && token !== key) {
        token = key;
        headers.Authorization = `Bearer ${key}`;
        return await ask(method, path, body);
      }
      if (isPassing(response.status)) return { kind: "unreachable" };
      const json = await response.json().catch(() => null);
      // A page instead of a row is a hotel's, which wants to be signed in to first: our server was not reached.
      if (response.ok) return json ? { kind: "row", row: json } : { kind: "unreachable" };
      return { kind: "refused", code: json?.code ?? "", message: json?.message ?? response.statusText };
    } catch {
      return { kind: "unreachable" };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Too busy, restarting, or a proxy that found nobody: worth asking again. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504);
}
