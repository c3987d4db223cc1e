import { describe, expect, inject, test } from "vitest";

import { CLIENTS, type Person, signUp, anonymousClient } from "./people";

const CARD = { number: "4242 4242 4242 4242", expiry: "12 / 2031", cvc: "123" };
const BILLING_TABLES = ["invoices", "subscriptions"] as const;

async function buyPlan(person: Person, amountCents: number): Promise<void> {
  const body = { amount: amountCents, description: "Basic Plan Subscription" };
  const { data } = await person.client.functions.invoke<{ url: string }>("create-checkout", { body });
  const payment = await fetch(new URL(data?.url ?? "", inject("keys").url), {
    method: "POST",
    body: new URLSearchParams(CARD),
    redirect: "manual",
  });
  expect(payment.headers.get("location")).toBe("/dashboard/settings/billing?paid=basic");
}

const fetchCards = async (person: Person) =>
  (await person.client.functions.invoke<{ paymentMethods: object[] }>("payment-methods")).data
    ?.paymentMethods;

describe.each(CLIENTS)("billing, through the client %s", (_version, connect) => {
  test("BILL-03 BILL-04 ENT-18 a company sees its cards and invoices", async () => {
    const rosa = await signUp(connect, "Rosa");
    expect(await fetchCards(rosa)).toEqual([]);

    await buyPlan(rosa, 2000);

    expect(await fetchCards(rosa)).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        brand: "visa",
        last4: "4242",
        exp_month: 12,
        exp_year: 2031,
        isDefault: true,
      },
    ]);
    const { data: invoices } = await rosa.client.from("invoices").select("number, amount_cents, status");
    expect(invoices).toEqual([{ number: 1000, amount_cents: 2000, status: "paid" }]);
    const { data: trial } = await rosa.client.from("trials").select("subscribed").single();
    expect(trial).toEqual({ subscribed: true });
    const { data: allowance } = await rosa.client.rpc("waiver_allowance");
    expect(allowance).toMatchObject({ sent: 0, covered: 1000 });
  });

  test("BILL-06 other companies see nothing, and no user can write billing rows", async () => {
    const rosa = await signUp(connect, "Rosa");
    await buyPlan(rosa, 2000);
    const mallory = await signUp(connect, "Mallory");

    expect(await fetchCards(mallory)).toEqual([]);
    expect((await anonymousClient(connect).functions.invoke("payment-methods")).error).not.toBeNull();
    for (const table of BILLING_TABLES) {
      const { data: rows } = await rosa.client.from(table).select("id, company_id");
      const [row] = rows ?? [];
      expect(row, `${table} has a row of Rosa's`).toBeDefined();
      for (const stranger of [mallory.client, anonymousClient(connect)]) {
        for (const query of [
          stranger.from(table).select("*"),
          stranger.from(table).select("*").eq("id", row?.id),
          stranger.from(table).select("*").eq("company_id", row?.company_id),
        ]) {
          expect((await query).data ?? [], table).toEqual([]);
        }
      }
      for (const client of [rosa.client, mallory.client]) {
        expect((await client.from(table).insert({ id: row?.id })).error, `insert ${table}`).not.toBeNull();
        expect((await client.from(table).update({ status: "paid" }).eq("id", row?.id)).error).not.toBeNull();
        expect((await client.from(table).delete().eq("id", row?.id)).error).not.toBeNull();
      }
    }
    for (const hiddenTable of ["customers", "checkouts", "sandbox_cards", "received_events"]) {
      expect((await rosa.client.from(hiddenTable).select("*")).error, hiddenTable).not.toBeNull();
      expect(
        (await rosa.client.schema("billing").from(hiddenTable).select("*")).error,
        hiddenTable,
      ).not.toBeNull();
    }
  });
});
