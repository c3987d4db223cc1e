import type { createClient, SupabaseClient } from "@supabase/supabase-js";
import { vi } from "vitest";

import { CREATE_CLIENT, VERSIONS } from "./clients";

type Settings = NonNullable<Parameters<typeof createClient>[2]>;
export type AuthOptions = NonNullable<Settings["auth"]>;
type Create = (
  url: string,
  key: string,
  auth: AuthOptions,
  fetch?: typeof globalThis.fetch,
) => SupabaseClient;

/** Both clients as a page creates them; each test chooses the storage and whether the address is read. */
export const BROWSER_CLIENTS: readonly (readonly [string, Create])[] = VERSIONS.map(
  (version) =>
    [
      version,
      (url, key, auth, fetch) =>
        CREATE_CLIENT[version](url, key, { auth, ...(fetch && { global: { fetch } }) }),
    ] as const,
);

/** A storage that behaves like the browser's. */
export function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** Simulates a page at this address, as far as the client uses it. */
export function openPage(target: URL): void {
  const ignoreEvents = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("window", {
    location: target,
    history: { state: null, replaceState: () => undefined },
    ...ignoreEvents,
  });
  vi.stubGlobal("document", { visibilityState: "visible", ...ignoreEvents });
}
