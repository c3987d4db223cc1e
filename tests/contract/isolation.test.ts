import { describe, expect, inject, test } from "vitest";

import {
  CLIENTS,
  openSession,
  type Person,
  SAMPLE_TEMPLATE,
  signature,
  signUp,
  anonymousClient,
} from "./cast";

const COMPANY_TABLES = [
  "waiver_sessions",
  "signed_waivers",
  "waiver_templates",
  "sent_waivers",
  "emails",
  "notifications",
  "profiles",
  "companies",
] as const;

describe.each(CLIENTS)("isolation between companies, through the client %s", (_version, connect) => {
  async function companyWithRows(): Promise<Person> {
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
    await anonymousClient(connect).from("signed_waivers").insert(signature(session.id)).throwOnError();
    for (let attempt = 0; attempt < 100; attempt++) {
      const { data } = await rosa.client.from("notifications").select("id");
      if (data?.length) return rosa;
      await new Promise((later) => setTimeout(later, 50));
    }
    throw new Error("The notification did not arrive.");
  }

  test("REST-23 another company cannot read, update or delete rows of any table", async () => {
    const rosa = await companyWithRows();
    const mallory = await signUp(connect, "Mallory");

    for (const table of COMPANY_TABLES) {
      const { data: rows } = await rosa.client.from(table).select("*");
      const owned = (rows ?? []).filter((row) => table !== "waiver_templates" || row.company_id !== null);
      expect(owned.length, `${table} has rows of Rosa's`).toBeGreaterThan(0);
      const ids = owned.map((row) => row.id);

      for (const rival of [mallory.client, anonymousClient(connect)]) {
        const read = await rival.from(table).select("*").in("id", ids);
        expect(read.data ?? [], `${table} read`).toEqual([]);
        const changes = "read" in owned[0] ? { read: true } : { name: "Stolen" };
        await rival.from(table).update(changes).in("id", ids);
        await rival.from(table).delete().in("id", ids);
      }
      const { data: after } = await rosa.client.from(table).select("*").in("id", ids);
      expect(after, `${table} is untouched`).toEqual(owned);
    }
  });

  test("REST-23 another company cannot insert rows for this company", async () => {
    const rosa = await companyWithRows();
    const mallory = await signUp(connect, "Mallory");
    const { data: company } = await rosa.client.from("companies").select("id").single();
    const { data: session } = await rosa.client.from("waiver_sessions").select("id").limit(1).single();
    const inRosasName = { company_id: company?.id };

    const attempts = await Promise.all([
      mallory.client.from("waiver_templates").insert({ ...inRosasName, name: "Forged" }),
      mallory.client.from("emails").insert({ ...inRosasName, recipient: "a@b.co", subject: "x", body: "x" }),
      mallory.client
        .from("notifications")
        .insert({ ...inRosasName, title: "x", message: "x", about: company?.id }),
      mallory.client.from("companies").insert({ name: "Forged" }),
      mallory.client.from("sent_waivers").insert({
        session_id: session?.id,
        template_id: SAMPLE_TEMPLATE,
        template_name: "x",
        template_content: "x",
        recipient_name: "x",
        recipient_email: "x@example.com",
      }),
      mallory.client.from("profiles").update(inRosasName).eq("id", mallory.id),
      mallory.client.from("profiles").update({ role: "customer" }).eq("id", mallory.id),
    ]);

    for (const { error } of attempts) expect(error?.code).toBe("42501");
  });

  test("REST-22 a request without a valid key is rejected with CORS headers, so that browsers can read the error", async () => {
    const { url, anon_key } = inject("keys");
    const request = (headers: Record<string, string>) => fetch(`${url}/rest/v1/waiver_sessions`, { headers });

    for (const headers of [{}, { apikey: "nonsense" }, { apikey: `${anon_key}x` }]) {
      const response = await request(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect((await request({ apikey: anon_key })).status).toBe(200);
  });

  test("AUTH-31 REST-20 a forged or malformed token is rejected with the standard error", async () => {
    const { url, anon_key } = inject("keys");
    const rosa = await signUp(connect, "Rosa");
    const [header, claims] = rosa.token.split(".");
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");

    for (const token of ["not-a-token", `${header}.${claims}.AAAA`, `${none}.${claims}.`]) {
      const response = await fetch(`${url}/rest/v1/waiver_sessions`, {
        headers: { apikey: anon_key, authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(401);
      expect(Object.keys(await response.json()).toSorted()).toEqual(["code", "details", "hint", "message"]);
    }
  });
});
