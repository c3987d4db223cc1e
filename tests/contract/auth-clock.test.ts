import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, inject, test, vi } from "vitest";

import { BROWSERS, memory, type Options } from "./browser";
import { address, PASSWORD } from "./cast";
import { until } from "./waiting";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The clock of the browser is ours; the server and the network are real, and have their own. */
describe.each(BROWSERS)("the clock of the client %s", (_version, create) => {
  const { url, anon_key } = inject("keys");
  const quiet: Options = { autoRefreshToken: false, persistSession: true, detectSessionInUrl: false };

  test("AUTH-34 it looks every 30 s, and by the time 90 s remain it has refreshed", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    const storage = memory();
    const client = create(url, anon_key, { ...quiet, autoRefreshToken: true, storage });
    const { data } = await client.auth.signUp({ email: address("rosa"), password: PASSWORD });
    const end = (data.session?.expires_at ?? 0) * 1000;
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    expect(await until(() => events.length > 0)).toBe(true);
    await client.auth.stopAutoRefresh();
    const looks = vi.spyOn(storage, "getItem");
    await client.auth.startAutoRefresh();
    // Once at the start.
    expect(await until(() => looks.mock.calls.length > 0)).toBe(true);
    const afterStart = looks.mock.calls.length;

    await vi.advanceTimersByTimeAsync(29_999);
    expect(looks).toHaveBeenCalledTimes(afterStart);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks.mock.calls.length).toBeGreaterThan(afterStart);
    vi.setSystemTime(end - 155_000);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(events).toEqual(["INITIAL_SESSION"]);
    vi.setSystemTime(end - 120_000);
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await until(() => events.length > 1)).toBe(true);
    expect(events).toEqual(["INITIAL_SESSION", "TOKEN_REFRESHED"]);
    await client.auth.stopAutoRefresh();
  });

  test("AUTH-34 whoever asks for the session gets a new one once less than 90 s remain", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const client = create(url, anon_key, { ...quiet, storage: memory() });
    const { data } = await client.auth.signUp({ email: address("rosa"), password: PASSWORD });
    const held = async () => (await client.auth.getSession()).data.session?.refresh_token;
    const first = data.session?.refresh_token;
    const end = (data.session?.expires_at ?? 0) * 1000;

    vi.setSystemTime(end - 91_000);
    expect(await held()).toBe(first);
    vi.setSystemTime(end - 89_000);
    expect(await held()).not.toBe(first);
  });

  test("AUTH-35 while the server is away it tries again after 200 ms, then twice that, within 30 s", async () => {
    const line = await unsteadyLine();
    const client = create(url, anon_key, { ...quiet, storage: memory() }, line.fetch);
    await client.auth.signUp({ email: address("rosa"), password: PASSWORD });
    const waits = flyingTime();

    line.failures = 3;
    const back = await client.auth.refreshSession();
    expect(back.error).toBeNull();
    expect(waits.splice(0)).toEqual([200, 400, 800]);

    line.failures = Infinity;
    const away = await client.auth.refreshSession();
    expect(away.error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
    line.close();
  });

  test("AUTH-36 the key set is fetched again after 10 minutes, and no sooner", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const asked: string[] = [];
    const listening: typeof fetch = async (input, init) => {
      asked.push(new Request(input).url);
      return fetch(input, init);
    };
    const client = create(url, anon_key, { ...quiet, storage: memory() }, listening);
    const { data } = await client.auth.signUp({ email: address("rosa"), password: PASSWORD });
    const token = data.session?.access_token;
    const fetched = () => asked.filter((one) => one.endsWith("/.well-known/jwks.json")).length;
    const began = Date.now();

    for (const [minutes, times] of [
      [0, 1],
      [9.9, 1],
      [10.1, 2],
    ] as const) {
      vi.setSystemTime(began + minutes * 60_000);
      expect((await client.auth.getClaims(token)).error).toBeNull();
      expect(fetched(), `after ${minutes} minutes`).toBe(times);
    }
    // Whoever stands between is told the same.
    const keys = await fetch(`${url}/auth/v1/.well-known/jwks.json`);
    expect(keys.headers.get("cache-control")).toBe("public, max-age=600");
  });
});

/** A way to the server on which something else answers, as often as `failures` says, that it is away. */
async function unsteadyLine() {
  const gate = createServer((_request, response) => response.writeHead(503).end());
  await new Promise<void>((ready) => gate.listen(0, "127.0.0.1", ready));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const away = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const line = {
    failures: 0,
    fetch: (async (input, init) => {
      if (line.failures === 0) return fetch(input, init);
      line.failures -= 1;
      return fetch(away, init);
    }) satisfies typeof fetch,
    close: () => gate.close(),
  };
  return line;
}

/** Nobody waits: the time is noted, and the clock is put forward by it. */
function flyingTime(): number[] {
  const waits: number[] = [];
  const now = globalThis.setTimeout;
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("setTimeout", (act: () => void, milliseconds = 0, ...more: unknown[]) => {
    // Node's own fetch watches its connections with the same function, and hands it more than the client does.
    if (more.length > 0) return now(act, milliseconds, ...more);
    if (milliseconds > 0) waits.push(milliseconds);
    vi.setSystemTime(Date.now() + milliseconds);
    return now(act, 0);
  });
  return waits;
}
