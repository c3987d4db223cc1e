/** The result is null if the server could not be reached. */
export type CallFunction = (name: string, body: object) => Promise<Response | null>;

export function functionCaller(anonKey: string): CallFunction {
  const headers = { apikey: anonKey, Authorization: `Bearer ${anonKey}` };
  return (name, payload) => {
    const body = payload instanceof Blob ? payload : JSON.stringify(payload);
    return fetch(`/functions/v1/${name}`, { method: "POST", headers, body }).catch(() => null);
  };
}
