import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { createClient as createOldClient } from "supabase-old";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createRealtimeClient, reconnectDelay } from "../../web/app/lib/realtime-client";
import { openSession, type Person, signature } from "./cast";
import { type House, ownHouse } from "./server";
import { until } from "./waiting";

/** Stories in which the server is really stopped, started again, or silent. */
let house: House;

beforeAll(async () => {
  house = await ownHouse();
});

afterAll(async () => {
  await house.remove();
});

const makers = [
  ["newest", createClient],
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two differ in types, not in the calls made here
  ["2.49.4", createOldClient as unknown as typeof createClient],
] as const;

/** The line exactly as the app opens it. */
function appLine() {
  const { url, anon_key } = house.keys;
  const { auth } = createClient(url, anon_key, { auth: { persistSession: false, autoRefreshToken: false } });
  return createRealtimeClient(url, anon_key, async () => anon_key, auth);
}

describe("the line of the app", () => {
  test("RT-02 beats every 30 s and is answered", { timeout: 120_000 }, async () => {
    const line = appLine();
    const beats: { status: string; at: number }[] = [];
    line.onHeartbeat((status) => beats.push({ status, at: Date.now() }));
    line.connect();
    expect(await until(() => line.isConnected())).toBe(true);
    const opened = Date.now();

    expect(await until(() => beats.some(({ status }) => status === "ok"), 35_000)).toBe(true);
    const sent = beats.find(({ status, at }) => status === "sent" && at - opened > 1000);
    expect(Math.abs((sent?.at ?? 0) - opened - 30_000)).toBeLessThan(1500);
    await line.disconnect();
  });

  test("RT-04 gives a join 10 s, and joins once the server answers again", { timeout: 120_000 }, async () => {
    const line = appLine();
    line.connect();
    expect(await until(() => line.isConnected())).toBe(true);
    house.signal("SIGSTOP");
    const asked = Date.now();
    const statuses: string[] = [];
    const channel = line.channel("patience").subscribe((status: string) => statuses.push(status));

    expect(await until(() => statuses.includes("TIMED_OUT"), 15_000)).toBe(true);
    expect(Math.abs(Date.now() - asked - 10_000)).toBeLessThan(1500);
    house.signal("SIGCONT");
    expect(await until(() => statuses.includes("SUBSCRIBED"), 20_000)).toBe(true);
    expect(channel.state).toBe("joined");
    await line.disconnect();
  });

  test("RT-03 tries again after 1, 2, 5, 10 and 10 s", { timeout: 120_000 }, async () => {
    const tries: number[] = [];
    const Plain = globalThis.WebSocket;
    globalThis.WebSocket = class extends Plain {
      constructor(...address: ConstructorParameters<typeof WebSocket>) {
        super(...address);
        tries.push(Date.now());
      }
    };
    const line = appLine();
    try {
      line.connect();
      expect(await until(() => line.isConnected())).toBe(true);
      tries.splice(0);
      await house.kill();
      expect(await until(() => !line.isConnected())).toBe(true);
      const lost = Date.now();

      expect(await until(() => tries.length === 5, 40_000)).toBe(true);
      const delays = tries.map((at, place) => at - (tries[place - 1] ?? lost));
      const expected = [1000, 2000, 5000, 10_000, 10_000];
      for (const [place, delay] of delays.entries()) {
        expect(delay, String(delays)).toBeGreaterThan((expected[place] ?? 0) - 100);
        expect(delay, String(delays)).toBeLessThan((expected[place] ?? 0) + 1500);
      }
      expect([1, 2, 3, 4, 5, 50].map(reconnectDelay)).toEqual([...expected, 10_000]);
    } finally {
      globalThis.WebSocket = Plain;
      await line.disconnect();
      await house.start();
    }
  });
});

describe.each(makers)("a server that is stopped and started, through the client %s", (_version, create) => {
  test(
    "RT-01 the client comes back by itself, and what it missed is found by asking",
    { timeout: 120_000 },
    async () => {
      const { url, anon_key } = house.keys;
      const quickly = { realtime: { reconnectAfterMs: () => 300 }, auth: { persistSession: false } };
      const owner = create(url, anon_key, quickly);
      const person = {
        email: `rosa.${crypto.randomUUID()}@example.com`,
        password: "a long walk by the river",
      };
      const { data } = await owner.auth.signUp({
        ...person,
        options: { data: { name: "Rosa", role: "company" } },
      });
      await owner.realtime.setAuth(data.session?.access_token ?? null);
      const told: string[] = [];
      const statuses: string[] = [];
      const channel = watch(owner, told, statuses);
      expect(await until(() => statuses.includes("SUBSCRIBED"))).toBe(true);

      await house.stop();
      expect(await until(() => channel.state === "errored")).toBe(true);
      await house.start();
      const rosa: Person = { client: owner, id: "", email: person.email, token: "" };
      const gap = await signing(rosa);

      expect(await until(() => statuses.filter((status) => status === "SUBSCRIBED").length > 1, 40_000)).toBe(
        true,
      );
      const { data: found } = await owner.from("signed_waivers").select("id");
      const after = await signing(rosa);

      expect(found?.map(({ id }) => id)).toEqual([gap]);
      expect(await until(() => told.includes(after))).toBe(true);
      expect(told.filter((id) => id === after)).toHaveLength(1);
      await owner.removeAllChannels();
    },
  );
});

function watch(client: SupabaseClient, told: string[], statuses: string[]): RealtimeChannel {
  return client
    .channel("signed-waivers-changes")
    .on<{ id: string }>(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "signed_waivers" },
      (change) => told.push(change.new.id),
    )
    .subscribe((status: string) => statuses.push(status));
}

async function signing(owner: Person): Promise<string> {
  const session = await openSession(owner);
  const { data } = await owner.client
    .from("signed_waivers")
    .insert(signature(session.id))
    .select("id")
    .single<{ id: string }>()
    .throwOnError();
  return data.id;
}
