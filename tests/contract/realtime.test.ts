import type { RealtimeChannel, RealtimePostgresInsertPayload, SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";

import type { Connect, Person } from "./people";
import { CLIENTS, openSession, signatureRow, signUp, anonymousClient, signAsGuest } from "./people";
import { joinChannel, waitUntil } from "./waiting";

type Insert = RealtimePostgresInsertPayload<Record<string, unknown>>;

async function watchWaivers(
  client: SupabaseClient,
): Promise<{ channel: RealtimeChannel; changes: Insert[] }> {
  const changes: Insert[] = [];
  const channel = client
    .channel("signed-waivers-changes")
    .on("postgres_changes", { event: "INSERT", schema: "public", table: "signed_waivers" }, (change) => {
      changes.push(change);
    });
  await joinChannel(channel);
  return { channel, changes };
}

/** Signs a new session and waits until the change arrives. */
async function signAndWait(
  connect: Connect,
  company: Person,
  changes: readonly Insert[],
): Promise<{ sessionId: string; waiverId: unknown; waitMs: number }> {
  const session = await openSession(company);
  const { data: waiver } = await anonymousClient(connect)
    .from("signed_waivers")
    .insert(signatureRow(session.id))
    .select("id, signed_at")
    .single();
  const signedAt = Date.now();
  expect(await waitUntil(() => changes.some((change) => change.new.id === waiver?.id))).toBe(true);
  return { sessionId: session.id, waiverId: waiver?.id, waitMs: Date.now() - signedAt };
}

describe.each(CLIENTS)("an open dashboard, through the client %s", (_version, connect) => {
  test("RT-05 RT-06 RT-07 a signature arrives within two seconds", async () => {
    const rosa = await signUp(connect, "Rosa");
    await rosa.client.realtime.setAuth(rosa.token);
    const { channel, changes } = await watchWaivers(rosa.client);
    expect(channel.state).toBe("joined");
    // Other tests may keep all processors busy, so only one of up to three signatures must arrive in time.
    const waits: number[] = [];
    let signed;
    do {
      signed = await signAndWait(connect, rosa, changes);
      waits.push(signed.waitMs);
    } while (signed.waitMs >= 2000 && waits.length < 3);

    expect(signed.waitMs, String(waits)).toBeLessThan(2000);
    const change = changes.at(-1);
    expect(change).toMatchObject({
      schema: "public",
      table: "signed_waivers",
      eventType: "INSERT",
      errors: null,
    });
    expect(change?.new).toMatchObject({
      id: signed.waiverId,
      session_id: signed.sessionId,
      signer_name: "Gil Okafor",
    });
    expect(Date.parse(change?.commit_timestamp ?? "")).not.toBeNaN();
    await channel.unsubscribe();
    expect(channel.state).toBe("closed");
    await rosa.client.removeAllChannels();
  });

  test("RT-08 NOTIF-03 another company and an anonymous client receive nothing", async () => {
    const [rosa, mallory] = [await signUp(connect, "Rosa"), await signUp(connect, "Mallory")];
    const anonymous = anonymousClient(connect);
    await rosa.client.realtime.setAuth(rosa.token);
    await mallory.client.realtime.setAuth(mallory.token);
    const watchers = await Promise.all([
      watchWaivers(rosa.client),
      watchWaivers(mallory.client),
      watchWaivers(anonymous),
    ]);

    const session = await openSession(rosa);
    await signAsGuest(connect, session.id);

    expect(await waitUntil(() => (watchers[0]?.changes.length ?? 0) > 0)).toBe(true);
    // Rosa has received the change. Mallory and the anonymous client would receive it at almost the same time.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(watchers.map(({ changes }) => changes.length)).toEqual([1, 0, 0]);
    await Promise.all([rosa.client, mallory.client, anonymous].map((client) => client.removeAllChannels()));
  });
});
