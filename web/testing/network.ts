import { act, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import { recheckConnection, isUnreachable } from "~/lib/connection";

/** Makes the browser report that it is offline. Every request fails. */
export function goOffline(): void {
  stopServer();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
}

/** Makes every request fail, although the browser reports that it is online. */
export function stopServer(): void {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
}

/** Makes the browser report that it is online again. The test must call `serve` first. */
export async function goOnline(): Promise<void> {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => {
    if (isUnreachable()) throw new Error("The server is still out of reach.");
  });
}

/** Resets the connection state, so that the next test starts with a reachable server. */
export async function endOutage(): Promise<void> {
  vi.stubGlobal("fetch", async () => new Response());
  await act(recheckConnection);
  if (isUnreachable()) await goOnline();
}
