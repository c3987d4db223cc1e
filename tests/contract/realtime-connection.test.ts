import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createRealtimeClient, reconnectDelayMs } from "../../web/app/lib/realtime-client";
import { openSession, type Person, signatureRow } from "./people";
import { CREATE_CLIENT, VERSIONS } from "./clients";
import { type TestServer, startServer } from "./server";
import { waitUntil } from "./waiting";

/** These tests stop, restart and pause the server, so they start their own. */
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.remove();
});

/** Creates the realtime client exactly as the app does. */
function createAppRealtimeClient() {
  const { url, anon_key } = server.keys;
  const { auth } = createClient(url, anon_key, { auth: { persistSession: false, autoRefreshToken: false } });
  return createRealtimeClient(url, anon_key, async () => anon_key, auth);
}

describe("the realtime client of the app", () => {
  test("RT-02 sends a heartbeat every 30 s and receives a reply", { timeout: 120_000 }, async () => {
    const realtime = createAppRealtimeClient();
    const heartbeats: { status: string; at: number }[] = [];
    realtime.onHeartbeat((status) => heartbeats.push({ status, at: Date.now() }));
    realtime.connect();
    expect(await waitUntil(() => realtime.isConnected())).toBe(true);
    const openedAt = Date.now();

    expect(await waitUntil(() => heartbeats.some(({ status }) => status === "ok"), 35_000)).toBe(true);
    const sentHeartbeat = heartbeats.find(({ status, at }) => status === "sent" && at - openedAt > 1000);
    expect(Math.abs((sentHeartbeat?.at ?? 0) - openedAt - 30_000)).toBeLessThan(1500);
    await realtime.disconnect();
  });

  test(
    "RT-04 a join times out after 10 s, and succeeds when the server responds again",
    { timeout: 120_000 },
    async () => {
      const realtime = createAppRealtimeClient();
      realtime.connect();
      expect(await waitUntil(() => realtime.isConnected())).toBe(true);
      server.signal("SIGSTOP");
      const startedAt = Date.now();
      const statuses: string[] = [];
      const channel = realtime.channel("slow").subscribe((status: string) => statuses.push(status));

      expect(await waitUntil(() => statuses.includes("TIMED_OUT"), 15_000)).toBe(true);
      expect(Math.abs(Date.now() - startedAt - 10_000)).toBeLessThan(1500);
      server.signal("SIGCONT");
      expect(await waitUntil(() => statuses.includes("SUBSCRIBED"), 20_000)).toBe(true);
      expect(channel.state).toBe("joined");
      await realtime.disconnect();
    },
  );

  test("RT-03 reconnects after 1, 2, 5, 10 and 10 s", { timeout: 120_000 }, async () => {
    const attemptTimes: number[] = [];
    const OriginalWebSocket = globalThis.WebSocket;
    globalThis.WebSocket = class extends OriginalWebSocket {
      constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
        super(...parameters);
        attemptTimes.push(Date.now());
      }
    };
    const realtime = createAppRealtimeClient();
    try {
      realtime.connect();
      expect(await waitUntil(() => realtime.isConnected())).toBe(true);
      attemptTimes.splice(0);
      await server.kill();
      expect(await waitUntil(() => !realtime.isConnected())).toBe(true);
      const lostAt = Date.now();

      expect(await waitUntil(() => attemptTimes.length === 5, 40_000)).toBe(true);
      const delays = attemptTimes.map((at, index) => at - (attemptTimes[index - 1] ?? lostAt));
      const expectedDelays = [1000, 2000, 5000, 10_000, 10_000];
      for (const [index, delay] of delays.entries()) {
        expect(delay, String(delays)).toBeGreaterThan((expectedDelays[index] ?? 0) - 100);
        expect(delay, String(delays)).toBeLessThan((expectedDelays[index] ?? 0) + 1500);
      }
      expect([1, 2, 3, 4, 5, 50].map(reconnectDelayMs)).toEqual([...expectedDelays, 10_000]);
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
      const account = {
        email: `rosa.${crypto.randomUUID()}@example.com`,
        password: "a long walk by the river",
      };
      const { data } = await owner.auth.signUp({
        ...account,
        options: { data: { name: "Rosa", role: "company" } },
      });
      await owner.realtime.setAuth(data.session?.access_token ?? null);
      const receivedIds: string[] = [];
      const statuses: string[] = [];
      const channel = watchWaivers(owner, receivedIds, statuses);
      expect(await waitUntil(() => statuses.includes("SUBSCRIBED"))).toBe(true);

      await server.stop();
      expect(await waitUntil(() => channel.state === "errored")).toBe(true);
      await server.start();
      const rosa: Person = { client: owner, id: "", email: account.email, token: "" };
      const missedWaiver = await signNewSession(rosa);

      expect(
        await waitUntil(() => statuses.filter((status) => status === "SUBSCRIBED").length > 1, 40_000),
      ).toBe(true);
      const { data: waivers } = await owner.from("signed_waivers").select("id");
      const laterWaiver = await signNewSession(rosa);

      expect(waivers?.map(({ id }) => id)).toEqual([missedWaiver]);
      expect(await waitUntil(() => receivedIds.includes(laterWaiver))).toBe(true);
      expect(receivedIds.filter((id) => id === laterWaiver)).toHaveLength(1);
      await owner.removeAllChannels();
    },
  );
});

function watchWaivers(client: SupabaseClient, receivedIds: string[], statuses: string[]): RealtimeChannel {
  return client
    .channel("signed-waivers-changes")
    .on<{ id: string }>(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "signed_waivers" },
      (change) => receivedIds.push(change.new.id),
    )
    .subscribe((status: string) => statuses.push(status));
}

/** Creates a session, signs it and returns the id of the waiver. */
async function signNewSession(owner: Person): Promise<string> {
  const session = await openSession(owner);
  const { data } = await owner.client
    .from("signed_waivers")
    .insert(signatureRow(session.id))
    .select("id")
    .single<{ id: string }>()
    .throwOnError();
  return data.id;
}
