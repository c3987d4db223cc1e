import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rosa } from "~/../testing/company";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { queryClient } from "~/lib/query-client";
import { AccountSettings } from "./account-settings";

const ENDPOINT = "https://push.example/1";
const KEYS = { p256dh: "B".repeat(87), auth: "A".repeat(22) };
const SETTINGS_RESPONSE = { "GET /rest/v1/profiles": { body: { email_on_signing: false } } };
const PUSH_RESPONSES = {
  ...SETTINGS_RESPONSE,
  "GET /functions/v1/push-key": { body: { key: "the key" } },
  "GET /rest/v1/push_subscriptions": { body: [] },
  "POST /rest/v1/push_subscriptions": { status: 201 },
  "DELETE /rest/v1/push_subscriptions": { status: 204 },
};

beforeEach(() => signInAs(ROSA));
afterEach(() => Reflect.deleteProperty(navigator, "serviceWorker"));

const guest = { ...rosa, role: "customer", company: null } as const;

const open = (account: typeof rosa = rosa, section = "notifications") =>
  show(<AccountSettings account={account} pathAfterSignOut="/" />, `/dashboard/profile?section=${section}`);

/** jsdom has no push notifications, so this function stubs the browser's objects. */
function stubPush(permission: NotificationPermission, isSubscribed = false) {
  const subscription = {
    endpoint: ENDPOINT,
    toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
    unsubscribe: vi.fn(() => Promise.resolve(true)),
  };
  const pushManager = {
    getSubscription: () => Promise.resolve(isSubscribed ? subscription : null),
    subscribe: vi.fn(() => {
      isSubscribed = true;
      return Promise.resolve(subscription);
    }),
  };
  const register = vi.fn(() => Promise.resolve({ pushManager }));
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { register, getRegistration: () => Promise.resolve({ pushManager }) },
  });
  vi.stubGlobal("PushManager", () => {});
  vi.stubGlobal("Notification", { permission, requestPermission: () => Promise.resolve("granted") });
  return { register, pushManager, subscription };
}

test("PROF-02 PROF-03 for a company, Account Management offers billing, security, notifications and sign-out", () => {
  serve(SETTINGS_RESPONSE);
  open(rosa, "");
  const management = within(screen.getByRole("region", { name: "Account Management" }));

  expect(management.getByRole("link", { name: /Subscription & Billing/ })).toHaveAttribute(
    "href",
    "/dashboard/settings/billing",
  );
  expect(management.getByRole("link", { name: /Password & Security/ })).toBeVisible();
  expect(management.getByRole("link", { name: /Notifications/ })).toBeVisible();
  expect(management.getByRole("button", { name: /Sign Out/ })).toBeVisible();
});

test("PROF-03 a guest has neither a billing link nor notification switches", async () => {
  serve({});
  open(guest);

  expect(
    await screen.findByText(/Each waiver you sign is mailed to the address you sign with/),
  ).toBeVisible();
  expect(screen.queryByRole("link", { name: /Subscription & Billing/ })).toBeNull();
  expect(screen.queryByRole("switch")).toBeNull();
});

test("PROF-05 the email switch changes immediately and reverts if the server rejects the change", async () => {
  let isRejecting = false;
  const requests = serve({
    ...SETTINGS_RESPONSE,
    "PATCH /rest/v1/profiles": () =>
      isRejecting ? { status: 400, body: { code: "x", message: "Not now." } } : { status: 204 },
  });
  open();
  const byEmail = await screen.findByRole("switch", { name: "By email" });
  expect(byEmail).not.toBeChecked();

  await userEvent.click(byEmail);
  expect(byEmail).toBeChecked();
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ email_on_signing: true }));

  isRejecting = true;
  await userEvent.click(byEmail);
  expect(await screen.findByText("Not now.")).toBeVisible();
  expect(byEmail).toBeChecked();
});

test("PROF-05 settings that were requested before the email switch was changed do not change it back", async () => {
  const { promise, resolve: respond } = Promise.withResolvers<void>();
  let wait: Promise<unknown> = Promise.resolve();
  serve({
    "GET /rest/v1/profiles": () => ({ body: { email_on_signing: false }, wait }),
    "PATCH /rest/v1/profiles": { status: 204 },
  });
  open();
  const byEmail = await screen.findByRole("switch", { name: "By email" });
  wait = promise;
  const refetching = queryClient.refetchQueries({ queryKey: ["notification-settings"] });
  await userEvent.click(byEmail);
  respond();
  await refetching;
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(byEmail).toBeChecked();
});

test("PROF-05 push notifications are switched on and off for this browser", async () => {
  const { register, pushManager, subscription } = stubPush("default");
  let rows: object[] = [];
  const requests = serve({ ...PUSH_RESPONSES, "GET /rest/v1/push_subscriptions": () => ({ body: rows }) });
  open();
  const byPush = await screen.findByRole("switch", { name: "By push on this browser" });
  expect(byPush).not.toBeChecked();

  rows = [{ id: "1" }];
  await userEvent.click(byPush);
  await waitFor(() => expect(byPush).toBeEnabled());
  expect(byPush).toBeChecked();
  expect(register).toHaveBeenCalledWith("/push-worker.js", { scope: "/push/" });
  expect(pushManager.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: "the key",
  });
  expect(
    requests.find(({ method, path }) => method === "POST" && path.endsWith("push_subscriptions"))?.body,
  ).toEqual({
    endpoint: ENDPOINT,
    ...KEYS,
  });

  rows = [];
  await userEvent.click(byPush);
  await waitFor(() => expect(byPush).not.toBeChecked());
  expect(subscription.unsubscribe).toHaveBeenCalled();
  expect(requests.find(({ method }) => method === "DELETE")?.query.get("endpoint")).toBe(`eq.${ENDPOINT}`);
});

test("the page explains that the browser blocks notifications", async () => {
  stubPush("denied");
  serve(PUSH_RESPONSES);
  open();

  expect(await screen.findByText(/This browser forbids notifications/)).toBeVisible();
  expect(screen.getByRole("switch", { name: "By push on this browser" })).toBeDisabled();
});

test("another user's subscription in this browser does not turn the switch on", async () => {
  stubPush("granted", true);
  serve(PUSH_RESPONSES);
  open();

  expect(await screen.findByRole("switch", { name: "By push on this browser" })).not.toBeChecked();
});
