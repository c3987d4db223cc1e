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
  anonymousClient,
} from "./cast";
import { join, until } from "./waiting";

interface Note {
  id: string;
  read: boolean;
}

async function signUpForRealtime(connect: Connect, name: string): Promise<Person> {
  const person = await signUp(connect, name);
  await person.client.realtime.setAuth(person.token);
  return person;
}

/** A second client of the same user, as in another window. */
async function secondWindow(connect: Connect, { email }: Person): Promise<SupabaseClient> {
  const client = anonymousClient(connect);
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  await client.realtime.setAuth(data.session?.access_token ?? null);
  return client;
}

async function companyOf({ client }: Person): Promise<string> {
  const { data } = await client.from("companies").select("id").single<{ id: string }>();
  return data?.id ?? "none";
}

async function disconnect(...clients: SupabaseClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.removeAllChannels()));
}

describe.each(CLIENTS)("channels, through the client %s", (_version, connect) => {
  test("RT-01 a channel is closed, joining, joined, leaving and closed again", async () => {
    const client = anonymousClient(connect);
    const channel = client.channel("states");
    const states: string[] = [channel.state];
    const subscribed = join(channel);
    states.push(channel.state);
    await subscribed;
    states.push(channel.state);
    // The state "leaving" lasts only while the message is sent, so it is recorded at that moment.
    const send = vi.spyOn(WebSocket.prototype, "send").mockImplementation(function (this: WebSocket, frame) {
      states.push(channel.state);
      send.mockRestore();
      this.send(frame);
    });
    expect(await channel.unsubscribe()).toBe("ok");
    states.push(channel.state);

    expect(states).toEqual(["closed", "joining", "joined", "leaving", "closed"]);
    await disconnect(client);
  });

  test("NOTIF-02 a notification read or cleared in one window changes in the other", async () => {
    const rosa = await signUpForRealtime(connect, "Rosa");
    const other = await secondWindow(connect, rosa);
    const events: string[] = [];
    const channel = other
      .channel("notifications-changes")
      .on<Note>("postgres_changes", { event: "*", schema: "public", table: "notifications" }, (change) => {
        const { eventType, new: row, old } = change;
        events.push(eventType === "DELETE" ? `DELETE ${old.id}` : `${eventType} ${row.id} ${row.read}`);
      });
    await join(channel);

    const session = await openSession(rosa);
    await anonymousClient(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();
    expect(await until(() => events.length === 1)).toBe(true);
    const { data: note } = await rosa.client.from("notifications").select("id").single<Note>();
    await rosa.client.from("notifications").update({ read: true }).eq("read", false).throwOnError();
    await rosa.client.from("notifications").delete().eq("id", note?.id).throwOnError();

    expect(await until(() => events.length === 3)).toBe(true);
    expect(events).toEqual([`INSERT ${note?.id} false`, `UPDATE ${note?.id} true`, `DELETE ${note?.id}`]);
    await disconnect(other, rosa.client);
  });

  test("RT-09 signing out closes the channels of an open socket, with a message", async () => {
    const rosa = await signUpForRealtime(connect, "Rosa");
    const changes: unknown[] = [];
    const messages: string[] = [];
    const channel = rosa.client
      .channel("signed-waivers-changes")
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "signed_waivers" }, (change) => {
        changes.push(change);
      })
      .on("system", {}, ({ message }: { message: string }) => messages.push(message));
    await join(channel);
    const session = await openSession(rosa);
    const other = await secondWindow(connect, rosa);
    await other.auth.signOut({ scope: "global" });

    await anonymousClient(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();

    expect(await until(() => messages.includes("The session of this token has ended"))).toBe(true);
    expect(await until(() => channel.state === "closed")).toBe(true);
    expect(changes).toEqual([]);
    await disconnect(other, rosa.client);
  });

  test("RT-10 a broadcast is sent by HTTP while the channel is not joined", async () => {
    const [sender, receiver] = [anonymousClient(connect), anonymousClient(connect)];
    const received: unknown[] = [];
    const topic = `greetings-${crypto.randomUUID()}`;
    await join(
      receiver.channel(topic).on("broadcast", { event: "greeting" }, ({ payload }) => received.push(payload)),
    );

    const unjoined = sender.channel(topic);
    const message = { type: "broadcast" as const, event: "greeting", payload: { text: "hello" } };
    expect(await unjoined.send(message)).toBe("ok");
    if ("httpSend" in unjoined) {
      expect(await unjoined.httpSend("greeting", { text: "again" })).toEqual({ success: true });
    }

    const expected = "httpSend" in unjoined ? [{ text: "hello" }, { text: "again" }] : [{ text: "hello" }];
    expect(await until(() => received.length === expected.length)).toBe(true);
    expect(received).toEqual(expected);
    await disconnect(sender, receiver);
  });

  test("broadcasts reach the other clients, and optionally the sender with an acknowledgement", async () => {
    const [one, other] = [anonymousClient(connect), anonymousClient(connect)];
    const topic = `greetings-${crypto.randomUUID()}`;
    const received: string[] = [];
    const echo = one.channel(topic, { config: { broadcast: { self: true, ack: true } } });
    await join(echo.on("broadcast", { event: "*" }, ({ event }) => received.push(`one ${event}`)));
    await join(
      other.channel(topic).on("broadcast", { event: "hi" }, ({ event }) => received.push(`other ${event}`)),
    );

    expect(await echo.send({ type: "broadcast", event: "hi", payload: {} })).toBe("ok");

    expect(await until(() => received.length === 2)).toBe(true);
    expect(received.toSorted()).toEqual(["one hi", "other hi"]);
    await disconnect(one, other);
  });

  test("presence shows who has joined and who has left", async () => {
    const [one, other] = [anonymousClient(connect), anonymousClient(connect)];
    const topic = `office-${crypto.randomUUID()}`;
    const watching = present(one, topic, "rosa");
    await join(watching);
    expect(await watching.track({ at: "the office" })).toBe("ok");
    const coming = present(other, topic, "bea");
    await join(coming);
    await coming.track({ at: "the river" });

    for (const channel of [watching, coming]) {
      expect(await until(() => Object.keys(channel.presenceState()).length === 2)).toBe(true);
      expect(channel.presenceState()).toMatchObject({
        rosa: [{ at: "the office" }],
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
    await disconnect(one, other);
  });

  test("RT-08 another company cannot join a company's private channel and receives nothing from it", async () => {
    const [rosa, mallory] = [
      await signUpForRealtime(connect, "Rosa"),
      await signUpForRealtime(connect, "Mallory"),
    ];
    const topic = `company:${await companyOf(rosa)}`;
    const own = rosa.client.channel(topic, { config: { private: true, presence: { key: "rosa" } } });
    own.on("presence", { event: "sync" }, () => {});
    const ownReceived: unknown[] = [];
    await join(own.on("broadcast", { event: "*" }, (message) => ownReceived.push(message)));
    await own.track({ at: "the office" });

    await expect(join(mallory.client.channel(topic, { config: { private: true } }))).rejects.toThrow(
      "You do not have permissions to read from this Channel topic",
    );
    const received: unknown[] = [];
    const rival = await secondWindow(connect, mallory);
    const outside = rival.channel(topic).on("presence", { event: "sync" }, () => {});
    await join(outside.on("broadcast", { event: "*" }, (message) => received.push(message)));
    await own.send({ type: "broadcast", event: "plan", payload: { river: "high" } });
    await outside.send({ type: "broadcast", event: "forged", payload: {} });
    await mallory.client
      .channel(topic, { config: { private: true } })
      .send({ type: "broadcast", event: "forged", payload: {} });

    const colleague = await secondWindow(connect, rosa);
    const inside = present(colleague, topic, "bea", true);
    await join(inside);
    expect(await until(() => "rosa" in inside.presenceState())).toBe(true);
    expect([received, ownReceived, outside.presenceState()]).toEqual([[], [], {}]);
    await disconnect(rosa.client, mallory.client, rival, colleague);
  });
});

function present(client: SupabaseClient, topic: string, key: string, isPrivate = false): RealtimeChannel {
  return client
    .channel(topic, { config: { presence: { key }, private: isPrivate } })
    .on("presence", { event: "sync" }, () => {});
}
