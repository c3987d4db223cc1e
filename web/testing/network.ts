import { act, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import { recheck, isUnreachable } from "~/lib/reach";

/** As when the cable is pulled: the browser says so, and no request is answered. */
export function goOffline(): void {
  stopServer();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
}

/** The network is there, and nobody answers. */
export function stopServer(): void {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
}

/** The browser sees a network again; who answers on it, the test has said before. */
export async function goOnline(): Promise<void> {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => {
    if (isUnreachable()) throw new Error("The server is still out of reach.");
  });
}

/** The next test begins with a server, and with nobody who still doubts it. */
export async function endOutage(): Promise<void> {
  vi.stubGlobal("fetch", async () => new Response());
  await act(recheck);
  if (isUnreachable()) await goOnline();
}
