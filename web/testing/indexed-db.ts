import * as fake from "fake-indexeddb";
import { vi } from "vitest";

/** Provides a new, empty IndexedDB, which jsdom does not have. */
export function stubIndexedDb(): void {
  for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  vi.stubGlobal("indexedDB", new fake.IDBFactory());
}
