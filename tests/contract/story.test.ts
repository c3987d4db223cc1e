import { describe, expect, test } from "vitest";

import { CLIENTS, openSession, SAMPLE, service, signature, signUp, stranger } from "./cast";

describe.each(CLIENTS)("the calls of the product, through the client %s", (_version, connect) => {
  test("REST-01 REST-02 a company lists its own sessions, newest first", async () => {
    const rosa = await signUp(connect, "Rosa");
    const first = await openSession(rosa);
    const second = await openSession(rosa);

    const { data, error } = await rosa.client
      .from("waiver_sessions")
      .select("*")
      .order("created_at", { ascending: false });

    expect(error).toBeNull();
    expect(data?.map((row) => row.id)).toEqual([second.id, first.id]);
  });

  test("REST-03 pending sessions leave out what is signed", async () => {
    const rosa = await signUp(connect, "Rosa");
    const signed = await openSession(rosa);
    const pending = await openSession(rosa);
    await stranger(connect).from("signed_waivers").insert(signature(signed.id)).throwOnError();

    const { data } = await rosa.client
      .from("waiver_sessions")
      .select("*")
      .eq("status", "pending")
      .order("created_at", { ascending: false });

    expect(data?.map((row) => row.id)).toEqual([pending.id]);
  });

  test("REST-04 the holder of a link reads the one session it names", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);

    const { data, error } = await stranger(connect)
      .from("waiver_sessions")
      .select("template_id, recipient_name, recipient_email, status, template_content, created_at")
      .eq("id", session.id)
      .single();

    expect(error).toBeNull();
    expect(data).toMatchObject({
      template_id: SAMPLE,
      recipient_name: "Gil Okafor",
      recipient_email: "gil@example.com",
      status: "pending",
      template_content: "I, [PARTICIPANT NAME], ride with [COMPANY NAME].",
    });
  });

  test("REST-05 REST-06 whoever does not name the exact id sees nothing", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const session = await openSession(rosa);
    await stranger(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();

    for (const reader of [stranger(connect), mallory.client]) {
      const sessions = () => reader.from("waiver_sessions").select("id");
      const listings = await Promise.all([
        sessions(),
        sessions().neq("id", "00000000-0000-0000-0000-000000000000"),
        sessions().in("id", [session.id]),
        sessions().gt("id", "00000000-0000-0000-0000-000000000000"),
        sessions().or(`id.eq.${session.id},status.eq.pending`),
        sessions().eq("recipient_email", "gil@example.com"),
        sessions().not("id", "eq", "00000000-0000-0000-0000-000000000000"),
      ]);
      expect(listings.map(({ data }) => data)).toEqual(listings.map(() => []));

      const { data } = await reader
        .from("waiver_sessions")
        .select("status, signature, signer_name, signer_email, signed_at")
        .eq("id", session.id)
        .single();
      expect(data).toEqual({
        status: "signed",
        signature: null,
        signer_name: null,
        signer_email: null,
        signed_at: null,
      });
    }
  });

  test("REST-08 REST-12 a template has one default session", async () => {
    const rosa = await signUp(connect, "Rosa");
    const find = () =>
      rosa.client
        .from("waiver_sessions")
        .select("id")
        .eq("template_id", SAMPLE)
        .eq("status", "template_default")
        .limit(1);
    expect((await find()).data).toEqual([]);

    const { data: made, error } = await rosa.client
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE, status: "template_default", template_content: "Words" })
      .select("id")
      .single();

    expect(error).toBeNull();
    expect((await find()).data).toEqual([{ id: made?.id }]);
  });

  test("REST-09 REST-10 REST-11 a stranger opens a session on a template's own words, and sends to nobody", async () => {
    const { data, error } = await stranger(connect)
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE, status: "pending", template_content: "I owe nothing." })
      .select()
      .single();
    const sending = await stranger(connect).from("waiver_sessions").insert({
      template_id: SAMPLE,
      status: "pending",
      template_content: "x",
      recipient_email: "gil@example.com",
    });
    const nowhere = await stranger(connect)
      .from("waiver_sessions")
      .insert({ template_id: "tpl-nowhere", status: "pending", template_content: "x" });

    expect(error).toBeNull();
    expect(data?.template_content).toContain("Assumption of risk");
    expect(sending.error?.code).toBe("42501");
    expect(nowhere.status).toBe(404);
  });

  test("REST-13 the owner is the server's to say, and nothing starts signed", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const { data: own } = await rosa.client.from("companies").select("id").single();

    const { data } = await mallory.client
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE, status: "pending", company_id: own?.id })
      .select("company_id")
      .single();
    const signed = await mallory.client
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE, status: "signed" });

    expect(data?.company_id).not.toBe(own?.id);
    expect(signed.status).toBe(400);
  });

  test("REST-14 REST-15 signing is one insert; the old second call changes nothing", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    const guest = stranger(connect);
    const forged = { status: "signed", signer_name: "Forged", signed_at: "2020-01-01T00:00:00Z" };
    const early = await guest.from("waiver_sessions").update(forged).eq("id", session.id);

    const { data: waiver, error } = await guest
      .from("signed_waivers")
      .insert(signature(session.id))
      .select()
      .single();
    const late = await guest.from("waiver_sessions").update(forged).eq("id", session.id);

    expect(early.error).not.toBeNull();
    expect(error).toBeNull();
    expect(waiver.content).toMatch(/^I, Gil Okafor, ride with/);
    expect(late.status).toBe(204);
    const { data: after } = await rosa.client
      .from("waiver_sessions")
      .select("*")
      .eq("id", session.id)
      .single();
    expect(after).toMatchObject({ status: "signed", signer_name: "Gil Okafor", signed_at: waiver.signed_at });
    expect((await guest.from("signed_waivers").select("*")).data).toEqual([]);
  });

  test("REST-16 a signature without its session or its fields is refused and stores nothing", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    const guest = stranger(connect);

    const lost = await guest.from("signed_waivers").insert(signature("00000000-0000-4000-8000-000000000000"));
    const blank = await guest.from("signed_waivers").insert({ ...signature(session.id), signer_name: " " });

    expect(lost.error?.message).toBe("Could not find the waiver session.");
    expect(blank.error?.message).toBe("Name, email and signature are required.");
    expect((await rosa.client.from("signed_waivers").select("id")).data).toEqual([]);
  });

  test("REST-17 signed waivers are listed for their company alone", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const session = await openSession(rosa);
    await stranger(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();
    const list = (who: typeof rosa.client) =>
      who.from("signed_waivers").select("session_id").order("signed_at", { ascending: false });

    expect((await list(rosa.client)).data).toEqual([{ session_id: session.id }]);
    expect((await list(mallory.client)).data).toEqual([]);
    expect((await list(stranger(connect))).data).toEqual([]);
  });

  test("REST-18 no signed record answers 406 with PGRST116", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);

    const answer = await rosa.client.from("signed_waivers").select("*").eq("session_id", session.id).single();

    expect(answer.status).toBe(406);
    expect(answer.error?.code).toBe("PGRST116");
  });

  test("REST-19 NOTIF-04 realtime can be asked for signed waivers, and for nothing else", async () => {
    const rosa = await signUp(connect, "Rosa");
    const ask = (table: string) => rosa.client.rpc("enable_realtime_for_table", { table_name: table });

    expect((await ask("signed_waivers")).error).toBeNull();
    expect((await ask("signed_waivers")).error).toBeNull();
    expect((await ask("profiles")).error?.code).toBe("42501");
  });

  test("SIGN-16 not even the service key changes or deletes a signed record", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    await stranger(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();

    for (const client of [service(connect), rosa.client, stranger(connect)]) {
      const changed = await client
        .from("signed_waivers")
        .update({ signer_name: "X" })
        .eq("session_id", session.id);
      const deleted = await client.from("signed_waivers").delete().eq("session_id", session.id);
      expect(changed.error).not.toBeNull();
      expect(deleted.error).not.toBeNull();
    }
  });

  test("FN-01 FN-04 send-email answers an id to a company and refuses everyone else", async () => {
    const rosa = await signUp(connect, "Rosa");
    const gil = await signUp(connect, "Gil", "customer");
    const session = await openSession(rosa);
    const body = {
      to: "gil@example.com",
      subject: "Please sign: General Liability Waiver Waiver",
      body: "Hello Gil",
      attachmentType: "link",
      sessionId: session.id,
    };

    const { data, error } = await rosa.client.functions.invoke("send-email", { body });

    expect(error).toBeNull();
    // No mail server is set up here, and the answer says so.
    expect(data).toEqual({ id: expect.any(String), provider: "service", status: "kept" });
    for (const other of [gil.client, stranger(connect)]) {
      const refused = await other.functions.invoke("send-email", { body });
      expect(refused.error?.context.status).toBe(403);
    }
  });
});
