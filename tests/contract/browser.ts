import type { createClient, SupabaseClient } from "@supabase/supabase-js";
import { vi } from "vitest";

import { CREATE_CLIENT, VERSIONS } from "./clients";

type ClientOptions = NonNullable<Parameters<typeof createClient>[2]>;
export type AuthOptions = NonNullable<ClientOptions["auth"]>;
type CreateClient = (
  url: string,
  key: string,
  auth: AuthOptions,
  fetch?: typeof globalThis.fetch,
) => SupabaseClient;

/**
 * Each entry has a version of the client library and a function that creates a client as a page does. The test chooses
 * the options for authentication, such as the storage.
 */
export const BROWSER_CLIENTS: readonly (readonly [string, CreateClient])[] = VERSIONS.map(
  (version) =>
    [
      version,
      (url, key, auth, fetch) =>
        CREATE_CLIENT[version](url, key, { auth, ...(fetch && { global: { fetch } }) }),
    ] as const,
);

/** With these options a client has no timer that refreshes its session. */
export const MANUAL_REFRESH: AuthOptions = {
  autoRefreshToken: false,
  persistSession: true,
  detectSessionInUrl: false,
};

/** Creates a storage that behaves like the browser's. */
export function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** Simulates a page at `address`, with the browser features that the client uses. */
export function openPage(address: URL): void {
  const ignoreEvents = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("window", {
    location: address,
    history: { state: null, replaceState: () => undefined },
    ...ignoreEvents,
  });
  vi.stubGlobal("document", { visibilityState: "visible", ...ignoreEvents });
}
