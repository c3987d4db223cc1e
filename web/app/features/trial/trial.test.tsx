import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GIL, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { dismissToast, toast } from "~/ui/toast-store";
import { useTrialReminder } from "./api/use-trial-reminder";
import { HOUR_MS } from "./api/trial";
import { GuestTrialBanner } from "./components/guest-trial-banner";
import { TrialBadge } from "./components/trial-badge";
import TrialBanner from "./components/trial-banner";
import TrialDays from "./components/trial-days";
import { guestBannerTone, timeLeft, toTrial, trialToast } from "./model";

const START = "2026-03-01T09:00:00Z";
const row = (days: number, subscribed = false) => ({
  user_id: GIL.id,
  start_date: START,
  subscribed,
  days_remaining: days,
  is_active: days >= 0,
});
const trial = (days: number) => ({ startDate: START, daysRemaining: days, isActive: days >= 0 });

beforeEach(() => signInAs(GIL));
afterEach(() => vi.useRealTimers());

function Reminder() {
  useTrialReminder();
  return null;
}

const allTrialElements = (
  <>
    <Reminder />
    <TrialBadge />
    <TrialBanner />
    <TrialDays />
    <GuestTrialBanner />
  </>
);

test("TRIAL-05 the trial has startDate, daysRemaining and isActive", () => {
  expect(toTrial(row(3))).toEqual({ startDate: START, daysRemaining: 3, isActive: true });
});

test.each([
  [7, "7 days remaining"],
  [2, "2 days remaining"],
  [1, "1 day remaining"],
  [0, "Last day"],
])("%i remaining days are displayed as %s", (days, text) => {
  expect(timeLeft(days)).toBe(text);
});

test.each([
  [7, null],
  [3, null],
  [2, "amber"],
  [1, "amber"],
  [0, "amber"],
  [-1, "red"],
])("GUEST-04 GUEST-05 with %i days left a guest's banner is %s", (days, tone) => {
  expect(guestBannerTone(trial(days))).toBe(tone);
});

test.each([
  ["welcome", 7, "Welcome to Your 7-Day Free Trial!"],
  ["reminder", 6, "Trial Period: 6 days remaining"],
  ["reminder", 1, "Trial Period: 1 day remaining"],
  ["reminder", 0, "Trial Period: Last day"],
] as const)(
  "TRIAL-07 TRIAL-08 the toast of kind %s with %i days left is shown for 10 seconds",
  (kind, days, title) => {
    expect(trialToast(kind, trial(days))).toMatchObject({ title, duration: 10_000 });
  },
);

test("the reminder waits for the current toast, and the server decides whether it is due", async () => {
  const requests = serve({
    "GET /rest/v1/trials": { body: [row(5)] },
    "POST /rest/v1/rpc/tell_trial": { body: "reminder" },
  });
  act(() => toast({ title: "Welcome back!" }));
  show(<Reminder />);

  await waitFor(() => expect(requests.map(({ path }) => path)).toContain("/rest/v1/rpc/tell_trial"));
  expect(await screen.findByText("Welcome back!")).toBeVisible();
  act(dismissToast);

  expect(await screen.findByText("Trial Period: 5 days remaining")).toBeVisible();
  expect(requests[1]?.body).toEqual({ today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
});

test("TRIAL-08 the reminder is not shown if the server says that it is not due", async () => {
  const requests = serve({
    "GET /rest/v1/trials": { body: [row(5)] },
    "POST /rest/v1/rpc/tell_trial": { body: null },
  });
  show(allTrialElements);

  expect(await screen.findByText("Trial: 5 days remaining")).toBeVisible();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(screen.queryByText(/Trial Period/)).toBeNull();
});

test("TRIAL-06 the trial is fetched on load and again every hour", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let days = 3;
  const requests = serve({
    "GET /rest/v1/trials": () => ({ body: [row(days--)] }),
    // After an hour the session has to be refreshed.
    "POST /auth/v1/token": () => ({ body: sessionOf(GIL) }),
  });
  const trialRequests = () => requests.filter(({ path }) => path === "/rest/v1/trials");
  show(<GuestTrialBanner />);
  await waitFor(() => expect(trialRequests()).toHaveLength(1));
  expect(screen.queryByText(/Trial/)).toBeNull();

  await act(() => vi.advanceTimersByTimeAsync(HOUR_MS - 1000));
  expect(trialRequests()).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));

  expect(HOUR_MS).toBe(3_600_000);
  expect(await screen.findByText("Trial: 2 days remaining")).toBeVisible();
});

test("GUEST-06 the banner links to the checkout of the Basic plan", async () => {
  serve({ "GET /rest/v1/trials": { body: [row(-2)] } });
  show(<GuestTrialBanner />);

  expect(await screen.findByText("Your trial has ended")).toBeVisible();
  expect(screen.getByText("Guests never pay. A plan is only for sending waivers of your own.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Subscribe" })).toHaveAttribute(
    "href",
    "/checkout?amount=2000&description=Basic%20Plan%20Subscription",
  );
});

test("TRIAL-09 DASH-08 the banner that asks to subscribe appears only after the trial has ended", async () => {
  let days = 0;
  serve({
    "GET /rest/v1/trials": () => ({ body: [row(days)] }),
    "POST /rest/v1/rpc/tell_trial": { body: null },
  });
  show(allTrialElements);
  expect(await screen.findByText("Trial: Last day", { selector: "span" })).toBeVisible();
  expect(screen.queryByText("Your free trial has ended")).toBeNull();

  days = -1;
  const { queryClient } = await import("~/lib/query-client");
  await act(() => queryClient.refetchQueries());

  expect(await screen.findByText("Your free trial has ended")).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Subscribe" })[0]).toHaveAttribute(
    "href",
    "/dashboard/settings/billing",
  );
});

test.each([
  ["/dashboard", 7, "Trial: 7 days remaining"],
  ["/dashboard/settings/billing", 1, "Trial: 1 day remaining"],
  ["/dashboard/settings", 0, "Trial: Last day"],
])("DASH-08 at %s a company with %i days left sees: %s", async (path, days, text) => {
  serve({ "GET /rest/v1/trials": { body: [row(days)] } });
  show(<TrialDays />, path);

  expect(await screen.findByText(text)).toBeVisible();
});

test.each([
  ["/dashboard/waivers", row(3)],
  ["/dashboard", row(-1)],
  ["/dashboard", row(3, true)],
])("the days of the trial are not shown at %s with %j", async (path, trialRow) => {
  const requests = serve({ "GET /rest/v1/trials": { body: [trialRow] } });
  show(<TrialDays />, path);

  await waitFor(() => expect(requests).toHaveLength(1));
  await act(async () => {});
  expect(screen.queryByText(/trial/i)).toBeNull();
});

test("TRIAL-11 a subscriber sees no banner, no badge and no toast", async () => {
  const requests = serve({ "GET /rest/v1/trials": { body: [row(-3, true)] } });
  show(allTrialElements);

  await waitFor(() => expect(requests).toHaveLength(1));
  await act(async () => {});
  expect(screen.queryByText(/trial/i)).toBeNull();
  expect(screen.queryByRole("link", { name: "Subscribe" })).toBeNull();
  expect(requests).toHaveLength(1);
});
