import type { RealtimeChannel, SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test, vi } from "vitest";

import {
  CLIENTS,
  type Connect,
  openSession,
  PASSWORD,
  type Person,
  signUp,
  anonymousClient,
  signAsGuest,
} from "./people";
import { joinChannel, waitUntil } from "./waiting";

interface NotificationRow {
  id: string;
  read: boolean;
}

async function signUpForRealtime(connect: Connect, name: string): Promise<Person> {
  const person = await signUp(connect, name);
  await person.client.realtime.setAuth(person.token);
  return person;
}

/** Signs the same user in again, as in another window. */
async function openSecondWindow(connect: Connect, { email }: Person): Promise<SupabaseClient> {
  const client = anonymousClient(connect);
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  await client.realtime.setAuth(data.session?.access_token ?? null);
  return client;
}

async function fetchCompanyId({ client }: Person): Promise<string> {
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
    const joining = joinChannel(channel);
    states.push(channel.state);
    await joining;
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

  test("NOTIF-02 a notification that is read or cleared in one window changes in the other window", async () => {
    const rosa = await signUpForRealtime(connect, "Rosa");
    const otherWindow = await openSecondWindow(connect, rosa);
    const events: string[] = [];
    const channel = otherWindow
      .channel("notifications-changes")
      .on<NotificationRow>(
        "postgres_changes",
        { event: "*", schema: "public", table: "notifications" },
        (change) => {
          const { eventType, new: row, old } = change;
          events.push(eventType === "DELETE" ? `DELETE ${old.id}` : `${eventType} ${row.id} ${row.read}`);
        },
      );
    await joinChannel(channel);

    const session = await openSession(rosa);
    await signAsGuest(connect, session.id);
    expect(await waitUntil(() => events.length === 1)).toBe(true);
    const { data: notification } = await rosa.client
      .from("notifications")
      .select("id")
      .single<NotificationRow>();
    await rosa.client.from("notifications").update({ read: true }).eq("read", false).throwOnError();
    await rosa.client.from("notifications").delete().eq("id", notification?.id).throwOnError();

    expect(await waitUntil(() => events.length === 3)).toBe(true);
    expect(events).toEqual([
      `INSERT ${notification?.id} false`,
      `UPDATE ${notification?.id} true`,
      `DELETE ${notification?.id}`,
    ]);
    await disconnect(otherWindow, rosa.client);
  });

  test("RT-09 signing out closes the open channels with a message", async () => {
    const rosa = await signUpForRealtime(connect, "Rosa");
    const changes: unknown[] = [];
    const messages: string[] = [];
    const channel = rosa.client
      .channel("signed-waivers-changes")
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "signed_waivers" }, (change) => {
        changes.push(change);
      })
      .on("system", {}, ({ message }: { message: string }) => messages.push(message));
    await joinChannel(channel);
    const session = await openSession(rosa);
    const otherWindow = await openSecondWindow(connect, rosa);
    await otherWindow.auth.signOut({ scope: "global" });

    await signAsGuest(connect, session.id);

    expect(await waitUntil(() => messages.includes("The session of this token has ended"))).toBe(true);
    expect(await waitUntil(() => channel.state === "closed")).toBe(true);
    expect(changes).toEqual([]);
    await disconnect(otherWindow, rosa.client);
  });

  test("RT-10 a broadcast is sent by HTTP if the channel is not joined", async () => {
    const [sender, receiver] = [anonymousClient(connect), anonymousClient(connect)];
    const receivedPayloads: unknown[] = [];
    const topic = `greetings-${crypto.randomUUID()}`;
    await joinChannel(
      receiver
        .channel(topic)
        .on("broadcast", { event: "greeting" }, ({ payload }) => receivedPayloads.push(payload)),
    );

    const senderChannel = sender.channel(topic);
    const message = { type: "broadcast" as const, event: "greeting", payload: { text: "hello" } };
    expect(await senderChannel.send(message)).toBe("ok");
    if ("httpSend" in senderChannel) {
      expect(await senderChannel.httpSend("greeting", { text: "again" })).toEqual({ success: true });
    }

    const expected =
      "httpSend" in senderChannel ? [{ text: "hello" }, { text: "again" }] : [{ text: "hello" }];
    expect(await waitUntil(() => receivedPayloads.length === expected.length)).toBe(true);
    expect(receivedPayloads).toEqual(expected);
    await disconnect(sender, receiver);
  });

  test("a broadcast reaches all other clients, and with the option `self` also the sender", async () => {
    const [first, second] = [anonymousClient(connect), anonymousClient(connect)];
    const topic = `greetings-${crypto.randomUUID()}`;
    const receivedEvents: string[] = [];
    const echo = first.channel(topic, { config: { broadcast: { self: true, ack: true } } });
    await joinChannel(
      echo.on("broadcast", { event: "*" }, ({ event }) => receivedEvents.push(`first ${event}`)),
    );
    await joinChannel(
      second
        .channel(topic)
        .on("broadcast", { event: "hi" }, ({ event }) => receivedEvents.push(`second ${event}`)),
    );

    expect(await echo.send({ type: "broadcast", event: "hi", payload: {} })).toBe("ok");

    expect(await waitUntil(() => receivedEvents.length === 2)).toBe(true);
    expect(receivedEvents.toSorted()).toEqual(["first hi", "second hi"]);
    await disconnect(first, second);
  });

  test("a client that asks for it hears when messages of the database will arrive", async () => {
    const client = anonymousClient(connect);
    const messages: string[] = [];
    // The types of the old version do not list this option.
    const broadcast: object = { replication_ready: true };
    const channel = client
      .channel(`ready-${crypto.randomUUID()}`, { config: { broadcast } })
      .on("system", {}, ({ message }: { message: string }) => messages.push(message));

    await joinChannel(channel);

    expect(await waitUntil(() => messages.length > 0)).toBe(true);
    expect(messages).toEqual(["Replication connection established"]);
    await disconnect(client);
  });

  test("presence shows who has joined and who has left", async () => {
    const [first, second] = [anonymousClient(connect), anonymousClient(connect)];
    const topic = `office-${crypto.randomUUID()}`;
    const rosasChannel = presenceChannel(first, topic, "rosa");
    await joinChannel(rosasChannel);
    expect(await rosasChannel.track({ at: "the office" })).toBe("ok");
    const beasChannel = presenceChannel(second, topic, "bea");
    await joinChannel(beasChannel);
    await beasChannel.track({ at: "the river" });

    for (const channel of [rosasChannel, beasChannel]) {
      expect(await waitUntil(() => Object.keys(channel.presenceState()).length === 2)).toBe(true);
      expect(channel.presenceState()).toMatchObject({
        rosa: [{ at: "the office" }],
        bea: [{ at: "the river" }],
      });
    }
    await beasChannel.track({ at: "the bank" });
    expect(
      await waitUntil(() => rosasChannel.presenceState<{ at: string }>().bea?.[0]?.at === "the bank"),
    ).toBe(true);
    expect(rosasChannel.presenceState().bea).toHaveLength(1);
    await beasChannel.unsubscribe();
    expect(await waitUntil(() => !("bea" in rosasChannel.presenceState()))).toBe(true);
    await rosasChannel.untrack();
    expect(await waitUntil(() => Object.keys(rosasChannel.presenceState()).length === 0)).toBe(true);
    await disconnect(first, second);
  });

  test("RT-08 another company cannot join a company's private channel and receives nothing from it", async () => {
    const [rosa, mallory] = [
      await signUpForRealtime(connect, "Rosa"),
      await signUpForRealtime(connect, "Mallory"),
    ];
    const topic = `company:${await fetchCompanyId(rosa)}`;
    const rosasChannel = rosa.client.channel(topic, { config: { private: true, presence: { key: "rosa" } } });
    rosasChannel.on("presence", { event: "sync" }, () => {});
    const receivedByRosa: unknown[] = [];
    await joinChannel(
      rosasChannel.on("broadcast", { event: "*" }, (message) => receivedByRosa.push(message)),
    );
    await rosasChannel.track({ at: "the office" });

    await expect(joinChannel(mallory.client.channel(topic, { config: { private: true } }))).rejects.toThrow(
      "You do not have permissions to read from this Channel topic",
    );
    const receivedByMallory: unknown[] = [];
    const mallorysWindow = await openSecondWindow(connect, mallory);
    const publicChannel = mallorysWindow.channel(topic).on("presence", { event: "sync" }, () => {});
    await joinChannel(
      publicChannel.on("broadcast", { event: "*" }, (message) => receivedByMallory.push(message)),
    );
    await rosasChannel.send({ type: "broadcast", event: "plan", payload: { river: "high" } });
    await publicChannel.send({ type: "broadcast", event: "forged", payload: {} });
    await mallory.client
      .channel(topic, { config: { private: true } })
      .send({ type: "broadcast", event: "forged", payload: {} });

    // The messages were sent before the colleague joined, so they would have arrived by the time the colleague sees Rosa.
    const colleague = await openSecondWindow(connect, rosa);
    const colleagueChannel = presenceChannel(colleague, topic, "bea", true);
    await joinChannel(colleagueChannel);
    expect(await waitUntil(() => "rosa" in colleagueChannel.presenceState())).toBe(true);
    expect([receivedByMallory, receivedByRosa, publicChannel.presenceState()]).toEqual([[], [], {}]);
    await disconnect(rosa.client, mallory.client, mallorysWindow, colleague);
  });
});

function presenceChannel(
  client: SupabaseClient,
  topic: string,
  key: string,
  isPrivate = false,
): RealtimeChannel {
  return client
    .channel(topic, { config: { presence: { key }, private: isPrivate } })
    .on("presence", { event: "sync" }, () => {});
}
