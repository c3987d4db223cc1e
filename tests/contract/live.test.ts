import type { RealtimeChannel, RealtimePostgresInsertPayload, SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";

import { CLIENTS, openSession, signature, signUp, stranger } from "./cast";

type Insert = RealtimePostgresInsertPayload<Record<string, unknown>>;

function watch(client: SupabaseClient): Promise<{ channel: RealtimeChannel; seen: Insert[] }> {
  const seen: Insert[] = [];
  return new Promise((joined, refused) => {
    const channel = client
      .channel("signed-waivers-changes")
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "signed_waivers" }, (change) => {
        seen.push(change);
      })
      .subscribe((state, error) => {
        const status: string = state;
        if (status === "SUBSCRIBED") joined({ channel, seen });
        if (status === "CHANNEL_ERROR" || status === "TIMED_OUT") refused(error ?? new Error(status));
      });
  });
}

async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (condition()) return true;
    await new Promise((later) => setTimeout(later, 20));
  }
  return condition();
}

describe.each(CLIENTS)("an open dashboard, through the client %s", (_version, connect) => {
  test("RT-05 RT-06 RT-07 a signature arrives within two seconds", async () => {
    const rosa = await signUp(connect, "Rosa");
    await rosa.client.realtime.setAuth(rosa.token);
    const { channel, seen } = await watch(rosa.client);
    expect(channel.state).toBe("joined");
    const session = await openSession(rosa);

    const { data: waiver } = await stranger(connect)
      .from("signed_waivers")
      .insert(signature(session.id))
      .select("id, signed_at")
      .single();

    expect(await until(() => seen.length > 0, 2000)).toBe(true);
    const [change] = seen;
    expect(change).toMatchObject({
      schema: "public",
      table: "signed_waivers",
      eventType: "INSERT",
      errors: null,
    });
    expect(change?.new).toMatchObject({ id: waiver?.id, session_id: session.id, signer_name: "Gil Okafor" });
    expect(Date.parse(change?.commit_timestamp ?? "")).not.toBeNaN();
    await channel.unsubscribe();
    expect(channel.state).toBe("closed");
    await rosa.client.removeAllChannels();
  });

  test("RT-08 NOTIF-03 a rival and a stranger are told nothing", async () => {
    const [rosa, mallory] = [await signUp(connect, "Rosa"), await signUp(connect, "Mallory")];
    const nobody = stranger(connect);
    await rosa.client.realtime.setAuth(rosa.token);
    await mallory.client.realtime.setAuth(mallory.token);
    const watchers = await Promise.all([watch(rosa.client), watch(mallory.client), watch(nobody)]);

    const session = await openSession(rosa);
    await stranger(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();

    expect(await until(() => (watchers[0]?.seen.length ?? 0) > 0, 2000)).toBe(true);
    // Rosa has it, so the others would have it by now or never.
    await new Promise((later) => setTimeout(later, 300));
    expect(watchers.map(({ seen }) => seen.length)).toEqual([1, 0, 0]);
    await Promise.all([rosa.client, mallory.client, nobody].map((client) => client.removeAllChannels()));
  });
});
