import { act, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import { recheck, isUnreachable } from "~/lib/reach";

/** The browser reports that it is offline, and every request fails. */
export function goOffline(): void {
  stopServer();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
}

/** There is a network, but every request to the server fails. */
export function stopServer(): void {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
}

/** The browser reports that it is online again. The test must have set the responses before. */
export async function goOnline(): Promise<void> {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => {
    if (isUnreachable()) throw new Error("The server is still out of reach.");
  });
}

/** Resets the reach, so that the next test starts with a reachable server. */
export async function endOutage(): Promise<void> {
  vi.stubGlobal("fetch", async () => new Response());
  await act(recheck);
  if (isUnreachable()) await goOnline();
}
