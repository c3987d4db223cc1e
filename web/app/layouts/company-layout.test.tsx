import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openFakeRealtime } from "~/../testing/realtime";
import { accounts, ROSA, serve, signInAs } from "~/../testing/server";
import { showRoutes } from "~/../testing/show";
import { stubWindow } from "~/../testing/window";
import CompanyLayout from "./company-layout";

function showLayout(responses: Parameters<typeof serve>[0] = {}) {
  openFakeRealtime();
  stubWindow();
  signInAs(ROSA);
  const requests = serve({
    ...accounts.rosa,
    "GET /rest/v1/notifications": { body: [] },
    "POST /rest/v1/rpc/enable_realtime_for_table": { status: 204 },
    ...responses,
  });
  const children = [{ path: "/dashboard", element: <p>the page</p> }];
  const router = showRoutes([{ element: <CompanyLayout />, children }], "/dashboard");
  return { requests, router };
}

test("SHELL-01 SHELL-07 the sidebar links to the pages; the header has notifications and an account menu", async () => {
  showLayout();
  await screen.findByText("the page");

  expect(linksIn(screen.getByRole("navigation", { name: "Main" }))).toEqual([
    ["Dashboard", "/dashboard"],
    ["Add/Edit Waivers", "/dashboard/waivers"],
    ["Waiver Management", "/dashboard/waiver-management"],
  ]);
  expect(screen.getByRole("button", { name: "Notifications" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Account menu" })).toBeVisible();
});

/** Returns the visible links as pairs of text and address. */
const linksIn = (container: HTMLElement) =>
  within(container)
    .queryAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);

test.each([
  [
    "Connect",
    [
      ["Webhooks", "/dashboard/settings/webhooks"],
      ["Zapier", "/dashboard/settings/zapier"],
      ["HTML Embedding", "/dashboard/settings/html-embed"],
      ["API Connections", "/dashboard/settings/api-connections"],
    ],
  ],
  [
    "Help & Support",
    [
      ["Documentation", "/dashboard/help/documentation"],
      ["Contact Support", "/dashboard/help/support"],
      ["Tutorial Videos", "/dashboard/help/tutorials"],
    ],
  ],
])(
  "SHELL-02 SHELL-03 SHELL-04 SHELL-05 the group %s is closed at first and can be opened and closed",
  async (name, links) => {
    showLayout();
    const group = await screen.findByRole("button", { name });
    expect(group).toHaveAttribute("aria-expanded", "false");
    const menu = screen.getByRole("navigation", { name: "Main" });
    const linksBefore = linksIn(menu);

    await userEvent.click(group);
    expect(
      linksIn(menu).filter(([text]) => !linksBefore.some(([textBefore]) => textBefore === text)),
    ).toEqual(links);
    expect(group).toHaveAttribute("aria-expanded", "true");

    await userEvent.click(group);
    expect(linksIn(menu)).toEqual(linksBefore);
  },
);

test("SHELL-08 SHELL-09 the account menu has four entries, and Settings opens the settings", async () => {
  const { router } = showLayout();
  await userEvent.click(await screen.findByRole("button", { name: "Account menu" }));
  const menu = await screen.findByRole("menu");

  expect(within(menu).getByText("My Account")).toBeVisible();
  const entries = within(menu).getAllByRole("menuitem");
  expect(entries.map((entry) => [entry.textContent?.trim(), entry.getAttribute("href")])).toEqual([
    ["Profile", "/dashboard/profile"],
    ["Billing", "/dashboard/settings/billing"],
    ["Settings", "/dashboard/settings"],
    ["Log out", null],
  ]);
  await userEvent.click(within(menu).getByRole("menuitem", { name: "Settings" }));

  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(router.state.location.pathname).toBe("/dashboard/settings");
});

test("the command palette finds a guest and opens their waiver", async () => {
  const guest = { name: "Gil Moreau", email: "gil@example.com", template_name: "River day" };
  const entry = { id: "w1", session_id: "s1", status: "pending", ...guest };
  const { requests, router } = showLayout({ "POST /rest/v1/rpc/waiver_directory": { body: [entry] } });
  await screen.findByText("the page");

  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.type(await screen.findByRole("combobox"), "gil");
  await userEvent.click(await screen.findByText("gil@example.com"));

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard/waiver-management/s1"));
  expect(requests.findLast(({ path }) => path.endsWith("waiver_directory"))?.body).toMatchObject({
    term: "gil",
  });
});

test("the command palette opens a page with the keyboard alone, and Escape closes it", async () => {
  const { router } = showLayout();
  await screen.findByText("the page");

  await userEvent.keyboard("{Meta>}k{/Meta}");
  expect(await screen.findByRole("dialog", { name: "Find a guest or a page" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

  await userEvent.keyboard("{Meta>}k{/Meta}");
  await userEvent.type(await screen.findByRole("combobox"), "zap{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard/settings/zapier"));
});

test("SHELL-09 the command palette leads to the settings", async () => {
  const { router } = showLayout();
  await screen.findByText("the page");

  await userEvent.keyboard("{Meta>}k{/Meta}");
  await userEvent.type(await screen.findByRole("combobox"), "settings{Enter}");

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard/settings"));
});

test.each([
  ["without a chosen time zone gets that of the browser", false, [{ time_zone: "America/Denver" }]],
  ["with a chosen time zone keeps it", true, []],
])("APP-34 a company %s", async (_title, isSet, updates) => {
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({
    ...new Intl.DateTimeFormat().resolvedOptions(),
    timeZone: "America/Denver",
  });
  const { requests } = showLayout({
    "GET /rest/v1/companies": { body: [{ id: "c1", name: "Rio Rafting", time_zone_is_set: isSet }] },
    "PATCH /rest/v1/companies": { status: 204 },
  });
  await screen.findByText("the page");

  const companyRequests = () => requests.filter(({ path }) => path === "/rest/v1/companies");
  // The account is read only once. The second request stores the time zone.
  await waitFor(() => expect(companyRequests()).toHaveLength(isSet ? 1 : 2));
  const changes = companyRequests().filter(({ method }) => method === "PATCH");
  expect(changes.map(({ body }) => body)).toEqual(updates);
  expect(changes.map(({ query }) => query.toString())).toEqual(
    updates.map(() => "id=eq.c1&time_zone_is_set=eq.false"),
  );
});

test("APP-34 a time zone that the server refuses shows no error", async () => {
  const { requests } = showLayout({
    "GET /rest/v1/companies": { body: [{ id: "c1", name: "Rio Rafting", time_zone_is_set: false }] },
    "PATCH /rest/v1/companies": { status: 400, body: { code: "PT400", message: "unknown" } },
  });

  await waitFor(() => expect(requests.some(({ method }) => method === "PATCH")).toBe(true));
  expect(screen.getByText("the page")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  "/dashboard",
  "/dashboard/waivers",
  "/dashboard/waivers?sign=",
  "/dashboard/waivers?sign",
  "/dashboard/waivers?list=tpl-1",
])("APP-35 17B2 while a guest has the device, %s leads back to in-person signing", async (url) => {
  openFakeRealtime();
  signInAs(ROSA);
  localStorage.setItem("user", JSON.stringify({ id: `user-${ROSA.id}` }));
  localStorage.setItem("inPersonSigning", JSON.stringify("tpl-1"));
  serve(accounts.rosa);
  const children = [
    { path: "/dashboard", element: <p>the page</p> },
    { path: "/dashboard/waivers", element: <p>the guest’s page</p> },
  ];
  const router = showRoutes([{ element: <CompanyLayout />, children }], url);

  await waitFor(() => expect(router.state.location.search).toBe("?sign=tpl-1"));
  expect(await screen.findByText("the guest’s page")).toBeVisible();
  expect(screen.queryByRole("navigation")).toBeNull();
  expect(screen.queryByRole("button", { name: "Account menu" })).toBeNull();
});

async function logOut() {
  await userEvent.click(await screen.findByRole("button", { name: "Account menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Log out" }));
}

test("AUTHUI-21 SHELL-10 logging out revokes the session, clears the storage, shows a toast and opens the front page", async () => {
  const { requests, router } = showLayout({ "POST /auth/v1/logout": { status: 204 } });
  await waitFor(() => expect(localStorage.getItem("user")).not.toBeNull());

  await logOut();

  expect(await screen.findByText("Signed out")).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(requests.some(({ path }) => path === "/auth/v1/logout")).toBe(true);
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test("ERR-04 a failed sign-out shows the error and still clears the data in this browser", async () => {
  const { router } = showLayout({
    "POST /auth/v1/logout": { status: 500, body: { message: "Out of order" } },
  });

  await logOut();

  expect(await screen.findByText("Sign out failed")).toBeVisible();
  expect(screen.getByText("Out of order")).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe("/signin"));
  expect(localStorage.length).toBe(0);
});
