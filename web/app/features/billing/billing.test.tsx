import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showToRosa } from "~/../testing/company";
import { deferredResponse, serve } from "~/../testing/server";
import { externalPage } from "~/lib/external-page";
import { queryClient } from "~/lib/query-client";
import { show } from "~/../testing/show";
import Billing from "~/routes/company/billing";
import { GuestPlan } from "./components/guest-plan";
import { brandName, isExpired, usageSentence, renewalSentence, parsePaymentMethods } from "./model";

const defaultOptions = queryClient.getDefaultOptions();
beforeEach(() => {
  vi.spyOn(externalPage, "open").mockImplementation(() => {});
  queryClient.setDefaultOptions({ ...defaultOptions, queries: { ...defaultOptions.queries, retry: false } });
});
afterEach(() => queryClient.setDefaultOptions(defaultOptions));

const PATH = "/dashboard/settings/billing";
const subscription = {
  id: "s1",
  plan: "basic",
  status: "active",
  renews_at: "2026-12-15T09:00:00Z",
  is_ending: false,
  provider: "stripe",
} as const;
const card = { id: "pm_1", brand: "visa", last4: "4242", exp_month: 12, exp_year: 2028, isDefault: true };
const responses = {
  "GET /rest/v1/subscriptions": { body: [] },
  "POST /rest/v1/rpc/waiver_allowance": { body: { month: "2026-11-01", sent: 0, covered: 1000 } },
  "POST /functions/v1/payment-methods": { body: { paymentMethods: [] } },
  "GET /rest/v1/invoices": { body: [] },
};
const invoice = (number: number, amount_cents: number, fields: object = {}) => ({
  id: `i${number}`,
  number,
  description: "Basic Plan Subscription",
  amount_cents,
  status: "paid",
  issued_at: "2026-10-01T12:00:00Z",
  url: null,
  ...fields,
});
const openTab = (name: string) => userEvent.click(screen.getByRole("tab", { name }));

test("BILL-01 the page has three tabs", async () => {
  serve(responses);
  showToRosa(<Billing />, PATH);

  expect(screen.getByRole("heading", { level: 1, name: "Billing & Payment" })).toBeVisible();
  expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual([
    "Pricing",
    "Payment Methods",
    "Billing History",
  ]);
  expect(await screen.findByText("You have no plan yet")).toBeVisible();
});

test("BILL-02 without a subscription both plans link to their checkout, and neither is marked as current", async () => {
  serve({ ...responses, "GET /rest/v1/subscriptions": { body: [] } });
  showToRosa(<Billing />, PATH);

  expect(await screen.findByRole("link", { name: "Choose Basic" })).toHaveAttribute(
    "href",
    "/checkout?amount=2000&description=Basic%20Plan%20Subscription",
  );
  expect(screen.getByRole("link", { name: "Choose Professional" })).toHaveAttribute(
    "href",
    "/checkout?amount=4000&description=Professional%20Plan%20Subscription",
  );
  expect(screen.queryByText("Current plan")).toBeNull();
});

test("BILL-02 a company with a plan sees its plan, the next renewal and a link to the other plan", async () => {
  serve({ ...responses, "GET /rest/v1/subscriptions": { body: [subscription] } });
  showToRosa(<Billing />, PATH);

  expect(await screen.findByText("You are on the Basic plan")).toBeVisible();
  const basic = screen.getByRole("article", { name: "Basic plan" });
  expect(within(basic).getByText("Current plan")).toBeVisible();
  expect(within(basic).queryByRole("link")).toBeNull();
  expect(screen.getByRole("link", { name: "Change to Professional" })).toBeVisible();
  expect(screen.getByText("It is renewed on December 15, 2026.")).toBeVisible();
});

test("the button to manage the subscription opens the page of the payment provider", async () => {
  serve({
    ...responses,
    "GET /rest/v1/subscriptions": { body: [subscription] },
    "POST /functions/v1/manage-billing": { body: { url: "https://pay.example/portal" } },
  });
  showToRosa(<Billing />, PATH);

  await userEvent.click(await screen.findByRole("button", { name: "Manage subscription" }));

  await waitFor(() => expect(externalPage.open).toHaveBeenCalledWith("https://pay.example/portal"));
});

test("BILL-03 ENT-18 each card shows its brand, last digits and expiry date, and the default card is marked", async () => {
  const expiredCard = {
    ...card,
    id: "pm_2",
    brand: "mastercard",
    last4: "4444",
    exp_year: 2020,
    isDefault: false,
  };
  serve({
    ...responses,
    "POST /functions/v1/payment-methods": { body: { paymentMethods: [card, expiredCard] } },
  });
  showToRosa(<Billing />, PATH);
  await openTab("Payment Methods");

  const list = await screen.findByRole("list", { name: "Payment methods" });
  const [first, second] = within(list).getAllByRole("listitem");
  expect(first).toHaveTextContent("Visa ending in 4242");
  expect(first).toHaveTextContent("Expires 12/2028");
  expect(first).toHaveTextContent("Default");
  expect(second).toHaveTextContent("Mastercard ending in 4444");
  expect(second).toHaveTextContent("Expired 12/2020");
  expect(second).not.toHaveTextContent("Default");
  expect(parsePaymentMethods({ paymentMethods: [card] })).toEqual([card]);
});

test("ERR-24 payment methods that cannot be loaded show an error and can be retried", async () => {
  let status = 502;
  serve({
    ...responses,
    "POST /functions/v1/payment-methods": () => ({
      status,
      body: status === 200 ? { paymentMethods: [card] } : { error: "Stripe answered 500", code: "x" },
    }),
  });
  showToRosa(<Billing />, PATH);
  await openTab("Payment Methods");
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to load payment methods");
  await waitFor(() => expect(screen.getAllByText("Failed to load payment methods")).toHaveLength(2));

  status = 200;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("Default")).toBeVisible();
});

test("BILL-05 without a payment there is no card and no invoice", async () => {
  serve(responses);
  showToRosa(<Billing />, PATH);

  await openTab("Payment Methods");
  expect(await screen.findByText("No card yet")).toBeVisible();
  await openTab("Billing History");
  expect(await screen.findByText("No invoices yet")).toBeVisible();
});

test("BILL-04 the history lists invoices with number, date, amount and status", async () => {
  const { wait, respond } = deferredResponse();
  serve({
    ...responses,
    "GET /rest/v1/invoices": {
      wait,
      body: [invoice(1001, 2000, { status: "open", url: "https://pay.example/i/2" }), invoice(1000, 975)],
    },
  });
  showToRosa(<Billing />, PATH);
  await openTab("Billing History");
  expect(screen.getByRole("table", { name: "Invoices" })).toHaveAttribute("aria-busy", "true");
  respond();

  await screen.findByText("#1000");
  const [, newest, oldest] = screen.getAllByRole("row");
  expect(newest).toHaveTextContent(/#1001.*Oct 1, 2026\$20\.00 Not paid/);
  expect(oldest).toHaveTextContent(/#1000.*Oct 1, 2026\$9\.75 Paid/);
  expect(screen.getByRole("link", { name: /#1001/ })).toHaveAttribute("href", "https://pay.example/i/2");
});

test("a history that cannot be loaded shows an error", async () => {
  serve({ ...responses, "GET /rest/v1/invoices": { status: 503, body: { message: "away", code: "x" } } });
  showToRosa(<Billing />, PATH);
  await openTab("Billing History");

  expect(await screen.findByText("Failed to load billing history")).toBeVisible();
});

test("after a payment the page polls until the plan is confirmed, shows a toast and refetches the trial", async () => {
  let rows: object[] = [];
  const requests = serve({
    ...responses,
    "GET /rest/v1/subscriptions": () => ({ body: rows }),
    "GET /rest/v1/trials": { body: [] },
  });
  await queryClient.prefetchQuery({ queryKey: ["trial"], queryFn: () => fetch("/rest/v1/trials") });
  const router = showToRosa(<Billing />, `${PATH}?paid=basic`);
  expect(await screen.findByText("Your payment is being confirmed.")).toBeVisible();

  rows = [subscription];

  expect(await screen.findByText("Thank you for your payment.", {}, { timeout: 5000 })).toBeVisible();
  expect(router.state.location.search).toBe("");
  expect(screen.queryByText("Your payment is being confirmed.")).toBeNull();
  expect(queryClient.getQueryState(["trial"])?.isInvalidated).toBe(true);
  expect(requests.filter(({ path }) => path === "/rest/v1/subscriptions").length).toBeGreaterThan(1);
});

test("a guest with a subscription can manage it in the profile", async () => {
  serve({
    "GET /rest/v1/subscriptions": { body: [{ ...subscription, provider: "sandbox" }] },
    "POST /functions/v1/manage-billing": { status: 502, body: { error: "Stripe is away", code: "x" } },
  });
  show(<GuestPlan />);

  expect(await screen.findByText("You are on the Basic plan")).toBeVisible();
  expect(screen.getByText("Payments on this server are a sandbox: nothing is charged.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Manage subscription" }));

  expect(
    await screen.findByText("The payment provider could not be reached. Nothing was changed."),
  ).toBeVisible();
  expect(externalPage.open).not.toHaveBeenCalled();
});

test("a payment that is not for a plan needs no confirmation", async () => {
  serve(responses);
  showToRosa(<Billing />, `${PATH}?paid=once`);

  expect(await screen.findByText("Payment received")).toBeVisible();
});

test.each([
  [{ is_ending: true }, "It ends on December 15, 2026. Until then it is yours."],
  [{ status: "past_due" as const }, "The last payment failed. Please check your card; it is tried again."],
  [{ renews_at: null }, "It is renewed every month."],
])("a subscription with %o is described as: %s", (fields, text) => {
  expect(renewalSentence({ ...subscription, ...fields })).toBe(text);
});

test("the usage of the month is described with and without a limit", () => {
  expect(usageSentence({ month: "2026-11-01", sent: 312, covered: 1000 })).toBe(
    "312 of 1,000 sent in November",
  );
  expect(usageSentence({ month: "2026-11-01", sent: 1312, covered: null })).toBe(
    "1,312 sent in November, without a limit",
  );
});

test("a card is valid until the end of its month, and an unknown brand is called Card", () => {
  expect(isExpired(card, new Date(2028, 11, 31))).toBe(false);
  expect(isExpired(card, new Date(2029, 0, 1))).toBe(true);
  expect(["visa", "amex", "elo"].map(brandName)).toEqual(["Visa", "American Express", "Card"]);
});
