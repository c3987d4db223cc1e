import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createClient as createOldClient } from "supabase-old";
import { vi } from "vitest";

type Settings = NonNullable<Parameters<typeof createClient>[2]>;
export type Options = NonNullable<Settings["auth"]>;
type Create = (url: string, key: string, auth: Options, fetch?: typeof globalThis.fetch) => SupabaseClient;

/** Both clients, as a page makes them: what they keep and when they look at the address is up to the story. */
export const BROWSERS: readonly (readonly [string, Create])[] = [
  [
    "newest",
    (url, key, auth, fetch) => createClient(url, key, { auth, ...(fetch && { global: { fetch } }) }),
  ],
  [
    "2.49.4",
    (url, key, auth, fetch) => {
      const global = fetch && { global: { fetch } };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two differ in types, not in the calls made here
      return createOldClient(url, key, { auth: auth as never, ...global }) as unknown as SupabaseClient;
    },
  ],
];

/** What a browser keeps between two pages. */
export function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

/** As much of a page as the client looks at when it finds itself at an address. */
export function arriveAt(target: URL): void {
  const deaf = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("window", {
    location: target,
    history: { state: null, replaceState: () => undefined },
    ...deaf,
  });
  vi.stubGlobal("document", { visibilityState: "visible", ...deaf });
}
