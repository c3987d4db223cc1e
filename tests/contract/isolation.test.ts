import { describe, expect, inject, test } from "vitest";

import {
  CLIENTS,
  openSession,
  type Person,
  SAMPLE_TEMPLATE,
  signUp,
  anonymousClient,
  signAsGuest,
} from "./people";

/**
 * For each table, the update that a stranger tries. Each column exists, because an unknown column would be
 * rejected before any permission is checked.
 */
const UPDATES = {
  waiver_sessions: { recipient_name: "Stolen" },
  signed_waivers: { signer_name: "Stolen" },
  waiver_templates: { name: "Stolen" },
  sent_waivers: { recipient_name: "Stolen" },
  emails: { subject: "Stolen" },
  notifications: { read: true },
  profiles: { name: "Stolen" },
  companies: { name: "Stolen" },
};

/** Waits until the worker has added the notification and has finished both emails, so that no row changes any more. */
async function waitForWorker(rosa: Person): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const { data: notifications } = await rosa.client.from("notifications").select("id");
    const { data: emails } = await rosa.client.from("emails").select("status").neq("status", "sending");
    if (notifications?.length && emails && emails.length >= 2) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The notification or an email did not arrive.");
}

describe.each(CLIENTS)("isolation between companies, through the client %s", (_version, connect) => {
  async function signUpCompanyWithData(): Promise<Person> {
    const rosa = await signUp(connect, "Rosa");
    const session = await openSession(rosa);
    await rosa.client.from("waiver_templates").insert({ name: "River trip", content: "Text" }).throwOnError();
    await rosa.client
      .from("sent_waivers")
      .insert({
        session_id: session.id,
        template_id: SAMPLE_TEMPLATE,
        template_name: "River trip",
        template_content: "Text",
        recipient_name: "Gil",
        recipient_email: "gil@example.com",
      })
      .throwOnError();
    await rosa.client.functions.invoke("send-email", {
      body: { to: "gil@example.com", subject: "Please sign", body: "Hello", sessionId: session.id },
    });
    await signAsGuest(connect, session.id);
    await waitForWorker(rosa);
    return rosa;
  }

  // Anyone may read a session by its exact id (decision 0032), so a list of ids is requested here.
  test("REST-23 another company cannot list, update or delete rows of the eight tables", async () => {
    const rosa = await signUpCompanyWithData();
    const mallory = await signUp(connect, "Mallory");

    for (const [table, update] of Object.entries(UPDATES)) {
      const { data: rows } = await rosa.client.from(table).select("*");
      const isSample = (row: { company_id: string | null }) =>
        table === "waiver_templates" && row.company_id === null;
      const ownRows = (rows ?? []).filter((row) => !isSample(row));
      expect(ownRows.length, `${table} has rows of Rosa's`).toBeGreaterThan(0);
      const ids = ownRows.map((row) => row.id);

      for (const stranger of [mallory.client, anonymousClient(connect)]) {
        const listing = await stranger.from(table).select("*").in("id", ids);
        expect(listing.data ?? [], `${table} is not listed`).toEqual([]);
        const updating = await stranger.from(table).update(update).in("id", ids);
        const deleting = await stranger.from(table).delete().in("id", ids);
        for (const { error } of [updating, deleting]) {
          // Either no row matches, or the permission is missing.
          expect([undefined, "42501"], `${table}: ${error?.message}`).toContain(error?.code);
        }
      }
      const { data: rowsAfter } = await rosa.client.from(table).select("*").in("id", ids);
      expect(rowsAfter, `${table} is untouched`).toEqual(ownRows);
    }
  });

  test("REST-23 another company cannot insert rows for this company", async () => {
    const rosa = await signUpCompanyWithData();
    const mallory = await signUp(connect, "Mallory");
    const { data: company } = await rosa.client.from("companies").select("id").single();
    const { data: session } = await rosa.client.from("waiver_sessions").select("id").limit(1).single();
    const rosasCompany = { company_id: company?.id };

    const attempts = await Promise.all([
      mallory.client.from("waiver_templates").insert({ ...rosasCompany, name: "Forged" }),
      mallory.client.from("emails").insert({ ...rosasCompany, recipient: "a@b.co", subject: "x", body: "x" }),
      mallory.client
        .from("notifications")
        .insert({ ...rosasCompany, title: "x", message: "x", about: company?.id }),
      mallory.client.from("sent_waivers").insert({
        session_id: session?.id,
        template_id: SAMPLE_TEMPLATE,
        template_name: "x",
        template_content: "x",
        recipient_name: "x",
        recipient_email: "x@example.com",
      }),
    ]);

    for (const { error } of attempts) expect(error?.code).toBe("42501");
  });

  test("REST-23 a user cannot add a company, join another company or change their own role", async () => {
    const rosa = await signUp(connect, "Rosa");
    const mallory = await signUp(connect, "Mallory");
    const { data: company } = await rosa.client.from("companies").select("id").single();

    const attempts = await Promise.all([
      mallory.client.from("companies").insert({ name: "Forged" }),
      mallory.client.from("profiles").update({ company_id: company?.id }).eq("id", mallory.id),
      mallory.client.from("profiles").update({ role: "customer" }).eq("id", mallory.id),
    ]);

    for (const { error } of attempts) expect(error?.code).toBe("42501");
  });
});

describe.each(CLIENTS)("keys and tokens, with the client %s", (_version, connect) => {
  test("REST-22 a request without a valid key is rejected with CORS headers, so that browsers can read the error", async () => {
    const { url, anon_key } = inject("keys");
    const requestSessions = (headers: Record<string, string>) =>
      fetch(`${url}/rest/v1/waiver_sessions`, { headers });

    for (const headers of [{}, { apikey: "nonsense" }, { apikey: `${anon_key}x` }]) {
      const response = await requestSessions(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect((await requestSessions({ apikey: anon_key })).status).toBe(200);
  });

  test("AUTH-31 REST-20 a forged or malformed token is rejected with status 401 and the fields of every error", async () => {
    const { url, anon_key } = inject("keys");
    const rosa = await signUp(connect, "Rosa");
    const [header, claims] = rosa.token.split(".");
    const unsignedHeader = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");

    for (const token of ["not-a-token", `${header}.${claims}.AAAA`, `${unsignedHeader}.${claims}.`]) {
      const response = await fetch(`${url}/rest/v1/waiver_sessions`, {
        headers: { apikey: anon_key, authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(401);
      expect(Object.keys(await response.json()).toSorted()).toEqual(["code", "details", "hint", "message"]);
    }
  });
});
