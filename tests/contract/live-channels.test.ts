import type { RealtimeChannel, SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test, vi } from "vitest";

import {
  CLIENTS,
  type Connect,
  openSession,
  PASSWORD,
  type Person,
  signature,
  signUp,
  stranger,
} from "./cast";
import { joined, until } from "./waiting";

interface Note {
  id: string;
  read: boolean;
}

async function signedUp(connect: Connect, name: string): Promise<Person> {
  const person = await signUp(connect, name);
  await person.client.realtime.setAuth(person.token);
  return person;
}

/** The same person in another window. */
async function secondWindow(connect: Connect, { email }: Person): Promise<SupabaseClient> {
  const client = stranger(connect);
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  await client.realtime.setAuth(data.session?.access_token ?? null);
  return client;
}

async function companyOf({ client }: Person): Promise<string> {
  const { data } = await client.from("companies").select("id").single<{ id: string }>();
  return data?.id ?? "none";
}

async function leave(...clients: SupabaseClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.removeAllChannels()));
}

describe.each(CLIENTS)("channels, through the client %s", (_version, connect) => {
  test("RT-01 a channel is closed, joining, joined, leaving and closed again", async () => {
    const client = stranger(connect);
    const channel = client.channel("states");
    const states: string[] = [channel.state];
    const subscribed = joined(channel);
    states.push(channel.state);
    await subscribed;
    states.push(channel.state);
    // Leaving lasts no longer than it takes to say so, hence a look at that very moment.
    const saying = vi.spyOn(WebSocket.prototype, "send").mockImplementation(function (
      this: WebSocket,
      frame,
    ) {
      states.push(channel.state);
      saying.mockRestore();
      this.send(frame);
    });
    expect(await channel.unsubscribe()).toBe("ok");
    states.push(channel.state);

    expect(states).toEqual(["closed", "joining", "joined", "leaving", "closed"]);
    await leave(client);
  });

  test("NOTIF-02 what is read or cleared in one window is so in the other", async () => {
    const rosa = await signedUp(connect, "Rosa");
    const other = await secondWindow(connect, rosa);
    const told: string[] = [];
    const channel = other
      .channel("notifications-changes")
      .on<Note>("postgres_changes", { event: "*", schema: "public", table: "notifications" }, (change) => {
        const { eventType, new: row, old } = change;
        told.push(eventType === "DELETE" ? `DELETE ${old.id}` : `${eventType} ${row.id} ${row.read}`);
      });
    await joined(channel);

    const session = await openSession(rosa);
    await stranger(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();
    expect(await until(() => told.length === 1)).toBe(true);
    const { data: note } = await rosa.client.from("notifications").select("id").single<Note>();
    await rosa.client.from("notifications").update({ read: true }).eq("read", false).throwOnError();
    await rosa.client.from("notifications").delete().eq("id", note?.id).throwOnError();

    expect(await until(() => told.length === 3)).toBe(true);
    expect(told).toEqual([`INSERT ${note?.id} false`, `UPDATE ${note?.id} true`, `DELETE ${note?.id}`]);
    await leave(other, rosa.client);
  });

  test("RT-09 signing out ends what an open socket is told, and says so", async () => {
    const rosa = await signedUp(connect, "Rosa");
    const seen: unknown[] = [];
    const said: string[] = [];
    const channel = rosa.client
      .channel("signed-waivers-changes")
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "signed_waivers" }, (change) => {
        seen.push(change);
      })
      .on("system", {}, ({ message }: { message: string }) => said.push(message));
    await joined(channel);
    const session = await openSession(rosa);
    const other = await secondWindow(connect, rosa);
    await other.auth.signOut({ scope: "global" });

    await stranger(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();

    expect(await until(() => said.includes("The session of this token has ended"))).toBe(true);
    expect(await until(() => channel.state === "closed")).toBe(true);
    expect(seen).toEqual([]);
    await leave(other, rosa.client);
  });

  test("RT-10 a broadcast finds its way by HTTP while the socket is not joined", async () => {
    const [speaker, listener] = [stranger(connect), stranger(connect)];
    const heard: unknown[] = [];
    const topic = `greetings-${crypto.randomUUID()}`;
    await joined(
      listener.channel(topic).on("broadcast", { event: "greeting" }, ({ payload }) => heard.push(payload)),
    );

    const silent = speaker.channel(topic);
    const message = { type: "broadcast" as const, event: "greeting", payload: { text: "hello" } };
    expect(await silent.send(message)).toBe("ok");
    if ("httpSend" in silent) {
      expect(await silent.httpSend("greeting", { text: "again" })).toEqual({ success: true });
    }

    const expected = "httpSend" in silent ? [{ text: "hello" }, { text: "again" }] : [{ text: "hello" }];
    expect(await until(() => heard.length === expected.length)).toBe(true);
    expect(heard).toEqual(expected);
    await leave(speaker, listener);
  });

  test("broadcasts reach the others, oneself on request, and are acknowledged on request", async () => {
    const [one, other] = [stranger(connect), stranger(connect)];
    const topic = `greetings-${crypto.randomUUID()}`;
    const heard: string[] = [];
    const echo = one.channel(topic, { config: { broadcast: { self: true, ack: true } } });
    await joined(echo.on("broadcast", { event: "*" }, ({ event }) => heard.push(`one ${event}`)));
    await joined(
      other.channel(topic).on("broadcast", { event: "hi" }, ({ event }) => heard.push(`other ${event}`)),
    );

    expect(await echo.send({ type: "broadcast", event: "hi", payload: {} })).toBe("ok");

    expect(await until(() => heard.length === 2)).toBe(true);
    expect(heard.toSorted()).toEqual(["one hi", "other hi"]);
    await leave(one, other);
  });

  test("presence shows who is there and who has gone", async () => {
    const [one, other] = [stranger(connect), stranger(connect)];
    const topic = `desk-${crypto.randomUUID()}`;
    const watching = present(one, topic, "rosa");
    await joined(watching);
    expect(await watching.track({ at: "the desk" })).toBe("ok");
    const coming = present(other, topic, "bea");
    await joined(coming);
    await coming.track({ at: "the river" });

    for (const channel of [watching, coming]) {
      expect(await until(() => Object.keys(channel.presenceState()).length === 2)).toBe(true);
      expect(channel.presenceState()).toMatchObject({
        rosa: [{ at: "the desk" }],
        bea: [{ at: "the river" }],
      });
    }
    await coming.track({ at: "the bank" });
    expect(await until(() => watching.presenceState<{ at: string }>().bea?.[0]?.at === "the bank")).toBe(
      true,
    );
    expect(watching.presenceState().bea).toHaveLength(1);
    await coming.unsubscribe();
    expect(await until(() => !("bea" in watching.presenceState()))).toBe(true);
    await watching.untrack();
    expect(await until(() => Object.keys(watching.presenceState()).length === 0)).toBe(true);
    await leave(one, other);
  });

  test("RT-08 a rival gets no broadcast and no presence of a company's own channel, and cannot get in", async () => {
    const [rosa, mallory] = [await signedUp(connect, "Rosa"), await signedUp(connect, "Mallory")];
    const topic = `company:${await companyOf(rosa)}`;
    const own = rosa.client.channel(topic, { config: { private: true, presence: { key: "rosa" } } });
    own.on("presence", { event: "sync" }, () => {});
    const ownHeard: unknown[] = [];
    await joined(own.on("broadcast", { event: "*" }, (message) => ownHeard.push(message)));
    await own.track({ at: "the desk" });

    await expect(joined(mallory.client.channel(topic, { config: { private: true } }))).rejects.toThrow(
      "You do not have permissions to read from this Channel topic",
    );
    const heard: unknown[] = [];
    const rival = await secondWindow(connect, mallory);
    const outside = rival.channel(topic).on("presence", { event: "sync" }, () => {});
    await joined(outside.on("broadcast", { event: "*" }, (message) => heard.push(message)));
    await own.send({ type: "broadcast", event: "plan", payload: { river: "high" } });
    await outside.send({ type: "broadcast", event: "forged", payload: {} });
    await mallory.client
      .channel(topic, { config: { private: true } })
      .send({ type: "broadcast", event: "forged", payload: {} });

    const colleague = await secondWindow(connect, rosa);
    const inside = present(colleague, topic, "bea", true);
    await joined(inside);
    expect(await until(() => "rosa" in inside.presenceState())).toBe(true);
    expect([heard, ownHeard, outside.presenceState()]).toEqual([[], [], {}]);
    await leave(rosa.client, mallory.client, rival, colleague);
  });
});

function present(client: SupabaseClient, topic: string, key: string, isPrivate = false): RealtimeChannel {
  return client
    .channel(topic, { config: { presence: { key }, private: isPrivate } })
    .on("presence", { event: "sync" }, () => {});
}
