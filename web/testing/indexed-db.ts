import * as fake from "fake-indexeddb";
import { vi } from "vitest";

/** Gives each test a new, empty IndexedDB, which jsdom lacks. */
export function stubIndexedDb(): void {
  for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  vi.stubGlobal("indexedDB", new fake.IDBFactory());
}
