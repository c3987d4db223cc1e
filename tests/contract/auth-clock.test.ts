import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, inject, test, vi } from "vitest";

import { BROWSER_CLIENTS, memoryStorage, MANUAL_REFRESH } from "./browser";
import { uniqueEmail, PASSWORD } from "./people";
import { waitUntil } from "./waiting";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The tests control the clock of the browser; the server and the network use the real time. */
describe.each(BROWSER_CLIENTS)("the clock of the client %s", (_version, create) => {
  const { url, anon_key } = inject("keys");

  test("AUTH-34 the client checks its session every 30 s, and refreshes it when at most 90 s remain", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    const storage = memoryStorage();
    const client = create(url, anon_key, { ...MANUAL_REFRESH, autoRefreshToken: true, storage });
    const { data } = await client.auth.signUp({ email: uniqueEmail("rosa"), password: PASSWORD });
    const expiresAt = (data.session?.expires_at ?? 0) * 1000;
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    expect(await waitUntil(() => events.length > 0)).toBe(true);
    await client.auth.stopAutoRefresh();
    const reads = vi.spyOn(storage, "getItem");
    await client.auth.startAutoRefresh();
    // The client checks once at the start.
    expect(await waitUntil(() => reads.mock.calls.length > 0)).toBe(true);
    const readsAfterStart = reads.mock.calls.length;

    await vi.advanceTimersByTimeAsync(29_999);
    expect(reads).toHaveBeenCalledTimes(readsAfterStart);
    await vi.advanceTimersByTimeAsync(1);
    expect(reads.mock.calls.length).toBeGreaterThan(readsAfterStart);
    vi.setSystemTime(expiresAt - 155_000);
    // At this check 125 s remain.
    await vi.advanceTimersByTimeAsync(30_000);
    expect(events).toEqual(["INITIAL_SESSION"]);
    vi.setSystemTime(expiresAt - 120_000);
    // At this check 90 s remain.
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await waitUntil(() => events.length > 1)).toBe(true);
    expect(events).toEqual(["INITIAL_SESSION", "TOKEN_REFRESHED"]);
    await client.auth.stopAutoRefresh();
  });

  test("AUTH-34 getSession refreshes the session when less than 90 s remain", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const client = create(url, anon_key, { ...MANUAL_REFRESH, storage: memoryStorage() });
    const { data } = await client.auth.signUp({ email: uniqueEmail("rosa"), password: PASSWORD });
    const refreshToken = async () => (await client.auth.getSession()).data.session?.refresh_token;
    const firstToken = data.session?.refresh_token;
    const expiresAt = (data.session?.expires_at ?? 0) * 1000;

    vi.setSystemTime(expiresAt - 91_000);
    expect(await refreshToken()).toBe(firstToken);
    vi.setSystemTime(expiresAt - 89_000);
    expect(await refreshToken()).not.toBe(firstToken);
  });

  test("AUTH-35 while the server is down the client retries for 30 s with delays that double from 200 ms", async () => {
    const network = await startUnreliableNetwork();
    const client = create(url, anon_key, { ...MANUAL_REFRESH, storage: memoryStorage() }, network.fetch);
    await client.auth.signUp({ email: uniqueEmail("rosa"), password: PASSWORD });
    const delays = skipDelays();

    network.failuresLeft = 3;
    const recovery = await client.auth.refreshSession();
    expect(recovery.error).toBeNull();
    expect(delays.splice(0)).toEqual([200, 400, 800]);

    network.failuresLeft = Infinity;
    const failure = await client.auth.refreshSession();
    expect(failure.error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
    expect(delays).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
    network.close();
  });

  test("AUTH-36 the key set is cached for 10 minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const requestedUrls: string[] = [];
    const recordingFetch: typeof fetch = async (input, init) => {
      requestedUrls.push(new Request(input).url);
      return fetch(input, init);
    };
    const client = create(url, anon_key, { ...MANUAL_REFRESH, storage: memoryStorage() }, recordingFetch);
    const { data } = await client.auth.signUp({ email: uniqueEmail("rosa"), password: PASSWORD });
    const token = data.session?.access_token;
    const keySetRequests = () =>
      requestedUrls.filter((requestedUrl) => requestedUrl.endsWith("/.well-known/jwks.json")).length;
    const start = Date.now();

    for (const [minutes, requestCount] of [
      [0, 1],
      [9.9, 1],
      [10.1, 2],
    ] as const) {
      vi.setSystemTime(start + minutes * 60_000);
      expect((await client.auth.getClaims(token)).error).toBeNull();
      expect(keySetRequests(), `after ${minutes} minutes`).toBe(requestCount);
    }
    // The response header allows proxies to cache the keys equally long.
    const keys = await fetch(`${url}/auth/v1/.well-known/jwks.json`);
    expect(keys.headers.get("cache-control")).toBe("public, max-age=600");
  });
});

/** Simulates a network on which the next `failuresLeft` requests get status 503. */
async function startUnreliableNetwork() {
  const failingServer = createServer((_request, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => failingServer.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server listens on a port
  const failingUrl = `http://127.0.0.1:${(failingServer.address() as AddressInfo).port}`;
  const network = {
    failuresLeft: 0,
    fetch: (async (input, init) => {
      if (network.failuresLeft === 0) return fetch(input, init);
      network.failuresLeft -= 1;
      return fetch(failingUrl, init);
    }) satisfies typeof fetch,
    close: () => failingServer.close(),
  };
  return network;
}

/** Makes timers fire immediately: records each delay and moves the clock forward by it. */
function skipDelays(): number[] {
  const delays: number[] = [];
  const originalSetTimeout = globalThis.setTimeout;
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("setTimeout", (callback: () => void, milliseconds = 0, ...parameters: unknown[]) => {
    // Only Node's fetch calls setTimeout with additional parameters. Its timers are not changed.
    if (parameters.length > 0) return originalSetTimeout(callback, milliseconds, ...parameters);
    if (milliseconds > 0) delays.push(milliseconds);
    vi.setSystemTime(Date.now() + milliseconds);
    return originalSetTimeout(callback, 0);
  });
  return delays;
}
