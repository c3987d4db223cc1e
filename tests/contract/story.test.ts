import { describe, expect, test } from "vitest";

import {
  CLIENTS,
  openSession,
  SAMPLE_TEMPLATE,
  serviceClient,
  signatureRow,
  signUp,
  anonymousClient,
  signAsGuest,
} from "./people";

describe.each(CLIENTS)("the requests of the product, through the client %s", (_version, connect) => {
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

  test("REST-03 pending sessions do not include signed ones", async () => {
    const rosa = await signUp(connect, "Rosa");
    const signedSession = await openSession(rosa);
    const pendingSession = await openSession(rosa);
    await signAsGuest(connect, signedSession.id);

    const { data } = await rosa.client
      .from("waiver_sessions")
      .select("*")
      .eq("status", "pending")
      .order("created_at", { ascending: false });

    expect(data?.map((row) => row.id)).toEqual([pendingSession.id]);
  });

  test("REST-04 anyone with the link to a session can read that session", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);

    const { data, error } = await anonymousClient(connect)
      .from("waiver_sessions")
      .select("template_id, recipient_name, recipient_email, status, template_content, created_at")
      .eq("id", session.id)
      .single();

    expect(error).toBeNull();
    expect(data).toMatchObject({
      template_id: SAMPLE_TEMPLATE,
      recipient_name: "Gil Okafor",
      recipient_email: "gil@example.com",
      status: "pending",
      template_content: "I, [PARTICIPANT NAME], ride with [COMPANY NAME].",
    });
  });

  test("REST-05 REST-06 a client without the exact id sees nothing", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const session = await openSession(rosa);
    await signAsGuest(connect, session.id);

    for (const stranger of [anonymousClient(connect), mallory.client]) {
      const sessions = () => stranger.from("waiver_sessions").select("id");
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

      const { data } = await stranger
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
    const findDefaultSession = () =>
      rosa.client
        .from("waiver_sessions")
        .select("id")
        .eq("template_id", SAMPLE_TEMPLATE)
        .eq("status", "template_default")
        .limit(1);
    expect((await findDefaultSession()).data).toEqual([]);

    const { data: session, error } = await rosa.client
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE_TEMPLATE, status: "template_default", template_content: "Text" })
      .select("id")
      .single();

    expect(error).toBeNull();
    expect((await findDefaultSession()).data).toEqual([{ id: session?.id }]);
  });

  test("REST-09 REST-10 REST-11 an anonymous client can open a session, but cannot choose its text or recipient", async () => {
    const { data, error } = await anonymousClient(connect)
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE_TEMPLATE, status: "pending", template_content: "I owe nothing." })
      .select()
      .single();
    const withRecipient = await anonymousClient(connect).from("waiver_sessions").insert({
      template_id: SAMPLE_TEMPLATE,
      status: "pending",
      template_content: "x",
      recipient_email: "gil@example.com",
    });
    const unknownTemplate = await anonymousClient(connect)
      .from("waiver_sessions")
      .insert({ template_id: "tpl-unknown", status: "pending", template_content: "x" });

    expect(error).toBeNull();
    expect(data?.template_content).toContain("Assumption of risk");
    expect(withRecipient.error?.code).toBe("42501");
    expect(unknownTemplate.status).toBe(404);
  });

  test("REST-13 the server sets the owner, and a session cannot start as signed", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const { data: rosasCompany } = await rosa.client.from("companies").select("id").single();

    const { data } = await mallory.client
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE_TEMPLATE, status: "pending", company_id: rosasCompany?.id })
      .select("company_id")
      .single();
    const alreadySigned = await mallory.client
      .from("waiver_sessions")
      .insert({ template_id: SAMPLE_TEMPLATE, status: "signed" });

    expect(data?.company_id).not.toBe(rosasCompany?.id);
    expect(alreadySigned.status).toBe(400);
  });

  test("REST-14 REST-15 signing is one insert, and the second request of old clients changes nothing", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    const guest = anonymousClient(connect);
    const forgedUpdate = { status: "signed", signer_name: "Forged", signed_at: "2020-01-01T00:00:00Z" };
    const updateBefore = await guest.from("waiver_sessions").update(forgedUpdate).eq("id", session.id);

    const { data: waiver, error } = await guest
      .from("signed_waivers")
      .insert(signatureRow(session.id))
      .select()
      .single();
    const updateAfter = await guest.from("waiver_sessions").update(forgedUpdate).eq("id", session.id);

    expect(updateBefore.error).not.toBeNull();
    expect(error).toBeNull();
    expect(waiver.content).toMatch(/^I, Gil Okafor, ride with/);
    expect(updateAfter.status).toBe(204);
    const { data: signedSession } = await rosa.client
      .from("waiver_sessions")
      .select("*")
      .eq("id", session.id)
      .single();
    expect(signedSession).toMatchObject({
      status: "signed",
      signer_name: "Gil Okafor",
      signed_at: waiver.signed_at,
    });
    expect((await guest.from("signed_waivers").select("*")).data).toEqual([]);
  });

  test("REST-16 a signature without its session or required fields is rejected", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    const guest = anonymousClient(connect);

    const unknownSession = await guest
      .from("signed_waivers")
      .insert(signatureRow("00000000-0000-4000-8000-000000000000"));
    const blankName = await guest
      .from("signed_waivers")
      .insert({ ...signatureRow(session.id), signer_name: " " });

    expect(unknownSession.error?.message).toBe("Could not find the waiver session.");
    expect(blankName.error?.message).toBe("Name, email and signature are required.");
    expect((await rosa.client.from("signed_waivers").select("id")).data).toEqual([]);
  });

  test("REST-17 signed waivers are listed only for their company", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const session = await openSession(rosa);
    await signAsGuest(connect, session.id);
    const listWaivers = (client: typeof rosa.client) =>
      client.from("signed_waivers").select("session_id").order("signed_at", { ascending: false });

    expect((await listWaivers(rosa.client)).data).toEqual([{ session_id: session.id }]);
    expect((await listWaivers(mallory.client)).data).toEqual([]);
    expect((await listWaivers(anonymousClient(connect))).data).toEqual([]);
  });

  test("REST-18 a missing signed record returns 406 with PGRST116", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);

    const response = await rosa.client
      .from("signed_waivers")
      .select("*")
      .eq("session_id", session.id)
      .single();

    expect(response.status).toBe(406);
    expect(response.error?.code).toBe("PGRST116");
  });

  test("REST-19 NOTIF-04 realtime can be enabled for signed waivers only", async () => {
    const rosa = await signUp(connect, "Rosa");
    const enable = (table: string) => rosa.client.rpc("enable_realtime_for_table", { table_name: table });

    expect((await enable("signed_waivers")).error).toBeNull();
    expect((await enable("signed_waivers")).error).toBeNull();
    expect((await enable("profiles")).error?.code).toBe("42501");
  });

  test("SIGN-16 even the service key cannot change or delete a signed record", async () => {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    await signAsGuest(connect, session.id);

    for (const client of [serviceClient(connect), rosa.client, anonymousClient(connect)]) {
      const update = await client
        .from("signed_waivers")
        .update({ signer_name: "X" })
        .eq("session_id", session.id);
      const deletion = await client.from("signed_waivers").delete().eq("session_id", session.id);
      expect(update.error).not.toBeNull();
      expect(deletion.error).not.toBeNull();
    }
  });

  test("FN-01 FN-04 send-email returns an id to a company and rejects everyone else", async () => {
    const rosa = await signUp(connect, "Rosa");
    const gil = await signUp(connect, "Gil", "customer");
    const session = await openSession(rosa);
    const body = {
      to: "gil@example.com",
      // The product adds the word Waiver to every template name.
      subject: "Please sign: General Liability Waiver Waiver",
      body: "Hello Gil",
      attachmentType: "link",
      sessionId: session.id,
    };

    const { data, error } = await rosa.client.functions.invoke("send-email", { body });

    expect(error).toBeNull();
    // Without a mail server the email is only kept, and the response says that.
    expect(data).toEqual({ id: expect.any(String), provider: "service", status: "kept" });
    for (const client of [gil.client, anonymousClient(connect)]) {
      const rejection = await client.functions.invoke("send-email", { body });
      expect(rejection.error?.context.status).toBe(403);
    }
  });
});
