import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openFakeLine } from "~/../testing/line";
import { accounts, ROSA, serve, signedIn } from "~/../testing/server";
import { showRoutes } from "~/../testing/show";
import CompanyLayout from "./company-layout";

function showShell(answers: Parameters<typeof serve>[0] = {}) {
  openFakeLine();
  signedIn(ROSA);
  const seen = serve({
    ...accounts.rosa,
    "GET /rest/v1/notifications": { body: [] },
    "POST /rest/v1/rpc/enable_realtime_for_table": { status: 204 },
    ...answers,
  });
  const children = [{ path: "/dashboard", element: <p>the page</p> }];
  const router = showRoutes([{ element: <CompanyLayout />, children }], "/dashboard");
  return { seen, router };
}

test("SHELL-01 SHELL-07 the sidebar leads to the pages; the header has a bell and an account menu", async () => {
  showShell();
  await screen.findByText("the page");

  const entries = screen.getByRole("navigation", { name: "Main" }).querySelectorAll("a");
  expect([...entries].map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Dashboard", "/dashboard"],
    ["Add/Edit Waivers", "/dashboard/waivers"],
    ["Waiver Management", "/dashboard/waiver-management"],
  ]);
  expect(screen.getByRole("button", { name: "Notifications" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Account menu" })).toBeVisible();
});

async function logOut() {
  await userEvent.click(await screen.findByRole("button", { name: "Account menu" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Log out" }));
}

test("AUTHUI-21 SHELL-10 logging out revokes the session, empties the storage, says so and goes home", async () => {
  const { seen, router } = showShell({ "POST /auth/v1/logout": { status: 204 } });
  await waitFor(() => expect(localStorage.getItem("user")).not.toBeNull());

  await logOut();

  expect(await screen.findByText("Signed out")).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(seen.some(({ path }) => path === "/auth/v1/logout")).toBe(true);
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test("ERR-04 when the server cannot be told, the person is, and this browser forgets them all the same", async () => {
  const { router } = showShell({
    "POST /auth/v1/logout": { status: 500, body: { message: "Out of order" } },
  });

  await logOut();

  expect(await screen.findByText("Sign out failed")).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(localStorage.length).toBe(0);
});
