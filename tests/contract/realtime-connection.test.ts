import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createRealtimeClient, reconnectDelay } from "../../web/app/lib/realtime-client";
import { openSession, type Person, signature } from "./cast";
import { CREATE_CLIENT, VERSIONS } from "./clients";
import { type TestServer, startServer } from "./server";
import { until } from "./waiting";

/** These tests stop, restart or pause the server, so they have their own. */
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.remove();
});

/** The realtime client exactly as the app creates it. */
function appRealtimeClient() {
  const { url, anon_key } = server.keys;
  const { auth } = createClient(url, anon_key, { auth: { persistSession: false, autoRefreshToken: false } });
  return createRealtimeClient(url, anon_key, async () => anon_key, auth);
}

describe("the realtime client of the app", () => {
  test("RT-02 sends a heartbeat every 30 s and receives a reply", { timeout: 120_000 }, async () => {
    const realtime = appRealtimeClient();
    const heartbeats: { status: string; at: number }[] = [];
    realtime.onHeartbeat((status) => heartbeats.push({ status, at: Date.now() }));
    realtime.connect();
    expect(await until(() => realtime.isConnected())).toBe(true);
    const opened = Date.now();

    expect(await until(() => heartbeats.some(({ status }) => status === "ok"), 35_000)).toBe(true);
    const sent = heartbeats.find(({ status, at }) => status === "sent" && at - opened > 1000);
    expect(Math.abs((sent?.at ?? 0) - opened - 30_000)).toBeLessThan(1500);
    await realtime.disconnect();
  });

  test(
    "RT-04 a join times out after 10 s, and succeeds when the server responds again",
    { timeout: 120_000 },
    async () => {
      const realtime = appRealtimeClient();
      realtime.connect();
      expect(await until(() => realtime.isConnected())).toBe(true);
      server.signal("SIGSTOP");
      const started = Date.now();
      const statuses: string[] = [];
      const channel = realtime.channel("slow").subscribe((status: string) => statuses.push(status));

      expect(await until(() => statuses.includes("TIMED_OUT"), 15_000)).toBe(true);
      expect(Math.abs(Date.now() - started - 10_000)).toBeLessThan(1500);
      server.signal("SIGCONT");
      expect(await until(() => statuses.includes("SUBSCRIBED"), 20_000)).toBe(true);
      expect(channel.state).toBe("joined");
      await realtime.disconnect();
    },
  );

  test("RT-03 reconnects after 1, 2, 5, 10 and 10 s", { timeout: 120_000 }, async () => {
    const attempts: number[] = [];
    const OriginalWebSocket = globalThis.WebSocket;
    globalThis.WebSocket = class extends OriginalWebSocket {
      constructor(...address: ConstructorParameters<typeof WebSocket>) {
        super(...address);
        attempts.push(Date.now());
      }
    };
    const realtime = appRealtimeClient();
    try {
      realtime.connect();
      expect(await until(() => realtime.isConnected())).toBe(true);
      attempts.splice(0);
      await server.kill();
      expect(await until(() => !realtime.isConnected())).toBe(true);
      const lostAt = Date.now();

      expect(await until(() => attempts.length === 5, 40_000)).toBe(true);
      const delays = attempts.map((at, index) => at - (attempts[index - 1] ?? lostAt));
      const expected = [1000, 2000, 5000, 10_000, 10_000];
      for (const [index, delay] of delays.entries()) {
        expect(delay, String(delays)).toBeGreaterThan((expected[index] ?? 0) - 100);
        expect(delay, String(delays)).toBeLessThan((expected[index] ?? 0) + 1500);
      }
      expect([1, 2, 3, 4, 5, 50].map(reconnectDelay)).toEqual([...expected, 10_000]);
    } finally {
      globalThis.WebSocket = OriginalWebSocket;
      await realtime.disconnect();
      await server.start();
    }
  });
});

describe.each(VERSIONS)("a server that is stopped and started, through the client %s", (version) => {
  test(
    "RT-01 the client reconnects, and rows it missed are found by a query",
    { timeout: 120_000 },
    async () => {
      const { url, anon_key } = server.keys;
      const options = { realtime: { reconnectAfterMs: () => 300 }, auth: { persistSession: false } };
      const owner = CREATE_CLIENT[version](url, anon_key, options);
      const person = {
        email: `rosa.${crypto.randomUUID()}@example.com`,
        password: "a long walk by the river",
      };
      const { data } = await owner.auth.signUp({
        ...person,
        options: { data: { name: "Rosa", role: "company" } },
      });
      await owner.realtime.setAuth(data.session?.access_token ?? null);
      const received: string[] = [];
      const statuses: string[] = [];
      const channel = watch(owner, received, statuses);
      expect(await until(() => statuses.includes("SUBSCRIBED"))).toBe(true);

      await server.stop();
      expect(await until(() => channel.state === "errored")).toBe(true);
      await server.start();
      const rosa: Person = { client: owner, id: "", email: person.email, token: "" };
      const missed = await sign(rosa);

      expect(await until(() => statuses.filter((status) => status === "SUBSCRIBED").length > 1, 40_000)).toBe(
        true,
      );
      const { data: found } = await owner.from("signed_waivers").select("id");
      const after = await sign(rosa);

      expect(found?.map(({ id }) => id)).toEqual([missed]);
      expect(await until(() => received.includes(after))).toBe(true);
      expect(received.filter((id) => id === after)).toHaveLength(1);
      await owner.removeAllChannels();
    },
  );
});

function watch(client: SupabaseClient, received: string[], statuses: string[]): RealtimeChannel {
  return client
    .channel("signed-waivers-changes")
    .on<{ id: string }>(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "signed_waivers" },
      (change) => received.push(change.new.id),
    )
    .subscribe((status: string) => statuses.push(status));
}

async function sign(owner: Person): Promise<string> {
  const session = await openSession(owner);
  const { data } = await owner.client
    .from("signed_waivers")
    .insert(signature(session.id))
    .select("id")
    .single<{ id: string }>()
    .throwOnError();
  return data.id;
}
