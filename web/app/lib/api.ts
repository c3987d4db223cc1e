/**
 * Each part of supabase-js is loaded when it is first needed, so that a visitor who only reads a page downloads none of
 * them. The client for tables and functions is loaded with the first view, and those for authentication and realtime
 * after it.
 */
import type { RealtimeClient } from "@supabase/realtime-js";
import { anonKey } from "./anon-key";
import type { ApiClient } from "./api-client";
import { authClient } from "./auth";
import { RequestFailed } from "./request-failed";
import { accessToken } from "./session";

export type { ApiClient };

let api: Promise<ApiClient> | undefined;
let realtime: Promise<RealtimeClient> | undefined;

/** Returns the client for tables and functions. It has the permissions of the signed-in user. */
export function apiClient(): Promise<ApiClient> {
  api ??= import("./api-client").then(({ createApiClient }) =>
    createApiClient(window.location.origin, anonKey(), accessToken),
  );
  return api;
}

/** Returns the client for the WebSocket on which the server reports changed rows. */
export function realtimeClient(): Promise<RealtimeClient> {
  realtime ??= Promise.all([authClient(), import("./realtime-client")]).then(
    ([auth, { createRealtimeClient }]) =>
      createRealtimeClient(window.location.origin, anonKey(), accessToken, auth),
  );
  return realtime;
}

/**
 * Calls an auth endpoint for which the client library has no method. With a body the request is a POST, otherwise a
 * GET.
 */
export async function requestAuth<Result>(path: string, body?: object): Promise<Result> {
  const headers = { "Content-Type": "application/json", "X-Supabase-Api-Version": "2024-01-01" };
  const response = await authorizedFetch(`/auth/v1${path}`, {
    headers,
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const payload = await response.json().catch(() => ({}));
  if (!response.ok) throw new RequestFailed(payload.message ?? "", response.status, payload.code ?? "");
  return payload;
}

/** Uploads or deletes a file. */
export async function requestStorage(path: string, init: RequestInit): Promise<void> {
  const response = await authorizedFetch(`/storage/v1${path}`, init);
  if (response.ok) return;
  const payload = await response.json().catch(() => ({}));
  throw new RequestFailed(payload.message ?? "", response.status, payload.error ?? "");
}

/** Sends a request with the permissions of the signed-in user. */
export async function authorizedFetch(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("apikey", anonKey());
  headers.set("Authorization", `Bearer ${await accessToken()}`);
  return fetch(window.location.origin + path, { ...init, headers });
}
