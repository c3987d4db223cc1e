import * as fake from "fake-indexeddb";
import { vi } from "vitest";

/** A device that can keep something, which jsdom's cannot; a new one for each test. */
export function stubIndexedDb(): void {
  for (const [name, kind] of Object.entries(fake)) if (name.startsWith("IDB")) vi.stubGlobal(name, kind);
  vi.stubGlobal("indexedDB", new fake.IDBFactory());
}
