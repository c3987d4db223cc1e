import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rosa, SENT_WAIVER } from "~/../testing/company";
import { openFakeRealtime } from "~/../testing/realtime";
import { accounts, GIL, ROSA, serve, signInAs } from "~/../testing/server";
import { showRoutes } from "~/../testing/show";
import { stubWindow } from "~/../testing/window";
import { toCachedUser } from "~/features/account/model";
import { saveLastSend, writeCache } from "~/lib/browser-cache";
import NotFound, { meta } from "./not-found";
import SentWaiversPage from "./sent-waivers";

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const SENT_ROW = { ...SENT_WAIVER, email_status: "delivered", email_error: null };
const responses = {
  "GET /rest/v1/notifications": { body: [] },
  "POST /rest/v1/rpc/enable_realtime_for_table": { status: 204 },
  "GET /rest/v1/sent_waivers": { body: [SENT_ROW] },
  "GET /rest/v1/waiver_sessions": {
    body: [{ id: SENT_ROW.session_id, status: "pending", expires_at: "2100-01-01T00:00:00Z" }],
  },
};

function showPages(url: string | { pathname: string; state: unknown }) {
  openFakeRealtime();
  stubWindow();
  return showRoutes(
    [
      { path: "/sent-waivers", element: <SentWaiversPage /> },
      // The app opens this address after sending. It has no page of its own, so NotFound shows the outcome.
      { path: "/dashboard/sent-waivers", element: <NotFound /> },
      { path: "/nope", element: <NotFound /> },
    ],
    url,
  );
}

async function advanceSeconds(seconds: number) {
  for (let second = 0; second < seconds; second++) await act(() => vi.advanceTimersByTimeAsync(1000));
}

const recentlySent = () => screen.findByRole("region", { name: "Recently sent" });
const click = (name: string) => act(() => screen.getByRole("button", { name }).click());

test("ROUTE-29 TPL-21 NOTFOUND-08 APP-21 after sending, a company sees the outcome in the app, and below it what was sent", async () => {
  signInAs(ROSA);
  serve({ ...accounts.rosa, ...responses });
  const router = showPages("/dashboard/sent-waivers");

  expect(await screen.findByRole("heading", { level: 1, name: "Email Sent" })).toBeVisible();
  expect(screen.getByText("Your email has been sent successfully!")).toBeVisible();
  expect(screen.getByText("The waiver is being delivered to the recipient.")).toBeVisible();
  expect(screen.getByText(/^Redirecting to sent waivers in [345] seconds\.\.\.$/)).toBeVisible();
  expect(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
  expect(await recentlySent()).toHaveTextContent("Gil Moreau");

  await advanceSeconds(5);

  expect(router.state.location.pathname).toBe("/sent-waivers");
  expect(await screen.findByRole("heading", { level: 1, name: "Waivers Sent Successfully" })).toBeVisible();
  expect(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
  expect(await recentlySent()).toHaveTextContent("Gil Moreau");
  for (const name of ["Send a New Waiver", "Return to Waivers"])
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", "/dashboard/waivers");
});

test("NOTFOUND-08 APP-21 Stay here stops the countdown", async () => {
  signInAs(ROSA);
  serve({ ...accounts.rosa, ...responses });
  const router = showPages("/dashboard/sent-waivers");
  await screen.findByRole("heading", { name: "Email Sent" });
  await advanceSeconds(1);

  click("Stay here");
  await advanceSeconds(20);

  expect(router.state.location.pathname).toBe("/dashboard/sent-waivers");
  expect(screen.queryByText(/Redirecting/)).toBeNull();
  expect(screen.getByRole("heading", { name: "Email Sent" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Send a New Waiver" })).toBeVisible();
});

test("NOTFOUND-07 ROUTE-17 APP-21 inside the app, a failed email is not reported as sent either", async () => {
  const failure = { result: "failed", reason: "Mailbox full" };
  signInAs(ROSA);
  serve({ ...accounts.rosa, ...responses });
  const router = showPages({ pathname: "/dashboard/sent-waivers", state: { email: failure } });

  expect(await screen.findByRole("heading", { name: "Email Not Sent" })).toBeVisible();
  // The next page shows this failure. It is saved only now, because loading the account deletes the data of
  // an earlier user.
  saveLastSend(failure);
  const message = screen.getByText("Mailbox full").closest('[role="status"]');
  expect(message?.querySelector("svg")).toHaveClass("text-red");
  expect(screen.queryByText("Your email has been sent successfully!")).toBeNull();
  await advanceSeconds(5);

  expect(router.state.location.pathname).toBe("/sent-waivers");
  const heading = await screen.findByRole("heading", { name: "The waiver was not sent" });
  const card = heading.closest('[role="status"]');
  expect(card?.querySelector("svg")).toHaveClass("text-red");
  expect(within(heading.closest("section") ?? document.body).getByText("Mailbox full")).toBeVisible();
});

test("APP-21 a guest sees the same outcome without the navigation of the app", async () => {
  signInAs(GIL);
  serve({ ...accounts.gil, ...responses });
  showPages("/dashboard/sent-waivers");

  expect(await screen.findByRole("heading", { name: "Email Sent" })).toBeVisible();
  expect(screen.queryByRole("navigation")).toBeNull();
  expect(screen.queryByRole("button", { name: "Stay here" })).toBeNull();
  expect(screen.getByRole("link", { name: "Go to Dashboard" })).toBeVisible();
});

test("while a guest has the device, the page after sending leads back to in-person signing too", async () => {
  signInAs(ROSA);
  writeCache("user", toCachedUser(rosa));
  writeCache("inPersonSigning", "tpl-1");
  serve({ ...accounts.rosa, ...responses });
  const router = showPages("/dashboard/sent-waivers");

  expect(await screen.findByText("elsewhere")).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: "/dashboard/waivers", search: "?sign=tpl-1" });
  expect(screen.queryByRole("navigation")).toBeNull();
});

test("NOTFOUND-01 an ordinary unknown address is not shown in the frame of the app", async () => {
  signInAs(ROSA);
  serve({ ...accounts.rosa, ...responses });
  showPages("/nope");
  await screen.findByRole("heading", { name: "404" });

  expect(screen.queryByRole("navigation")).toBeNull();
});

const titleAt = (pathname: string, state: unknown = null) =>
  meta({ location: { pathname, search: "", hash: "", key: "", state } });

test("the title of the page says what it is about", () => {
  expect(titleAt("/nope")).toEqual([{ title: "Page not found · Cairn" }]);
  expect(titleAt("/dashboard/sent-waivers")).toEqual([{ title: "Email Sent · Cairn" }]);
  expect(titleAt("/dashboard/sent-waivers", { email: { result: "failed" } })).toEqual([
    { title: "Email Not Sent · Cairn" },
  ]);
});
