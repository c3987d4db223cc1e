import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show, showRoutes } from "~/../testing/show";
import { NotificationsButton } from "./components/notifications-button";
import { badgeText, signedMessage } from "./model";

test.each([
  [0, null],
  [9, "9"],
  [10, "9+"],
])("SHELL-12 with %i unread notifications the badge shows %s", (unread, text) => {
  expect(badgeText(unread)).toBe(text);
});

test("the message about a signed waiver names the signer and the template", () => {
  expect(signedMessage({ signer_name: "Gil", template_name: "River day" })).toEqual({
    title: "New Waiver Signed",
    description: "Gil has signed a waiver: River day",
  });
});

const NOTIFICATION = {
  id: "n1",
  title: "New Waiver Signed",
  message: "The waiver",
  read: false,
  data: {},
  created_at: "2026-03-04T12:00:00Z",
};

/** Stubs a server with two notifications that can be marked as read and deleted. */
function serveTwoNotifications() {
  signInAs(ROSA);
  let rows = ["Gil", "Ana"].map((name, index) => ({
    ...NOTIFICATION,
    id: `n${index}`,
    message: `${name} has signed a waiver: River day`,
    created_at: `2026-03-04T12:0${9 - index}:00.123456Z`,
  }));
  return serve({
    "GET /rest/v1/notifications": () => ({ body: rows }),
    "PATCH /rest/v1/notifications": ({ query }) => {
      const id = query.get("id")?.replace("eq.", "");
      rows = rows.map((row) => (id === undefined || row.id === id ? { ...row, read: true } : row));
      return { status: 204 };
    },
    "DELETE /rest/v1/notifications": () => {
      rows = [];
      return { status: 204 };
    },
  });
}

async function openPanel() {
  await userEvent.click(await screen.findByRole("button", { name: "Notifications, 2 unread" }));
  return screen.findByRole("dialog", { name: "Notifications" });
}

test("ENT-17 a notification has a title, a message, a time, a read flag, and data", async () => {
  const requests = serveTwoNotifications();
  show(<NotificationsButton />);
  const panel = await openPanel();

  const request = requests.find(({ path }) => path === "/rest/v1/notifications");
  expect(request?.query.get("select")).toBe("id,title,message,read,data,created_at");
  const [newest] = within(panel).getAllByRole("listitem");
  expect(newest).toHaveTextContent(/Unread.*New Waiver Signed.*Gil has signed a waiver: River day/);
  expect(newest?.querySelector("time")).toHaveAttribute("datetime", "2026-03-04T12:09:00.123456Z");
});

test("SHELL-13 clicking a notification marks it read", async () => {
  serveTwoNotifications();
  show(<NotificationsButton />);

  await userEvent.click(within(await openPanel()).getByText(/Gil has signed/));

  await waitFor(() => expect(screen.getAllByText("Unread")).toHaveLength(1));
});

test("APP-12 clicking a notification about a waiver opens its page, closes the panel and marks it read", async () => {
  signInAs(ROSA);
  const item = { ...NOTIFICATION, message: "Gil has signed a waiver: River day", data: { session_id: "s1" } };
  const requests = serve({
    "GET /rest/v1/notifications": { body: [item] },
    "PATCH /rest/v1/notifications": { status: 204 },
  });
  const router = showRoutes([{ path: "*", element: <NotificationsButton /> }], "/dashboard");
  await userEvent.click(await screen.findByRole("button", { name: "Notifications, 1 unread" }));

  await userEvent.click(await screen.findByRole("link", { name: /Gil has signed/ }));

  expect(router.state.location.pathname).toBe("/dashboard/waiver-management/s1");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(requests.find(({ method }) => method === "PATCH")?.query.get("id")).toBe("eq.n1");
});

test("SHELL-14 Mark all read and Clear all apply to every notification", async () => {
  const requests = serveTwoNotifications();
  show(<NotificationsButton />);
  const panel = await openPanel();

  await userEvent.click(within(panel).getByRole("button", { name: "Mark all read" }));
  await waitFor(() => expect(screen.queryByText("Unread")).toBeNull());
  expect(within(panel).getAllByText("New Waiver Signed")).toHaveLength(2);

  await userEvent.click(within(panel).getByRole("button", { name: "Clear all" }));
  await waitFor(() => expect(within(panel).queryByText("New Waiver Signed")).toBeNull());
  const deletion = requests.find(({ method }) => method === "DELETE");
  expect(deletion?.query.get("created_at")).toBe("lte.2026-03-04T12:09:00.123456Z");
});

test("a change that the server rejects is reverted", async () => {
  signInAs(ROSA);
  serve({
    "GET /rest/v1/notifications": { body: [NOTIFICATION] },
    "PATCH /rest/v1/notifications": { status: 403, body: { code: "42501", message: "Not yours." } },
  });
  show(<NotificationsButton />);
  await userEvent.click(await screen.findByRole("button", { name: "Notifications, 1 unread" }));

  await userEvent.click(await screen.findByText("The waiver"));

  expect(await screen.findByText("Notifications were not changed")).toBeVisible();
  expect(screen.getByText("Unread")).toBeInTheDocument();
});
