import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { expect, test, vi } from "vitest";
import { stubIndexedDb } from "~/../testing/indexed-db";
import { goOffline } from "~/../testing/network";
import { accounts, GIL, deferredResponse, ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { startOfflineCopies, readOfflineCopy } from "~/lib/offline-copies";
import { queryClient } from "~/lib/query-client";
import { RequireRole } from "./require-role";
import { VisitorsOnly } from "./visitors-only";

const companyPage = <RequireRole required="company">{({ name }) => <p>Secret of {name}</p>}</RequireRole>;
const signInPage = (
  <VisitorsOnly>
    <p>Sign-in form</p>
  </VisitorsOnly>
);

function signInWithAccount(name: keyof typeof accounts) {
  signInAs(name === "rosa" ? ROSA : GIL);
  serve(accounts[name]);
}

async function expectRedirect(page: ReactElement, from: string, to: string) {
  const router = show(page, from);
  await waitFor(() => expect(router.state.location.pathname).toBe(to));
}

test("ROUTE-32 while the account is loading, the guard shows a loading screen and neither shows the page nor redirects", async () => {
  const { wait, respond } = deferredResponse();
  signInAs(ROSA);
  serve({ ...accounts.rosa, "GET /rest/v1/companies": { body: [], wait } });
  const router = show(companyPage, "/dashboard");

  expect(await screen.findByRole("status")).toHaveTextContent("Loading");
  expect(screen.queryByText(/Secret/)).toBeNull();
  expect(router.state.location.pathname).toBe("/dashboard");
  respond();
  expect(await screen.findByText("Secret of Rosa Marín")).toBeVisible();
});

test("a page stays open if reading its account again fails", async () => {
  signInWithAccount("rosa");
  show(companyPage, "/dashboard");
  await screen.findByText("Secret of Rosa Marín");
  serve({ "GET /rest/v1/profiles": { status: 404, body: { code: "none", message: "none" } } });

  await act(async () => {
    await queryClient.refetchQueries();
    // The page is rendered again in a later task.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  expect(queryClient.getQueryState(["account"])?.status).toBe("error");
  expect(screen.getByText("Secret of Rosa Marín")).toBeVisible();
});

test("ROUTE-33 a visitor is redirected to sign-in, which receives the requested path and query", async () => {
  serve({});
  const router = show(companyPage, "/dashboard?waiver=1");

  await waitFor(() => expect(router.state.location.pathname).toBe("/signin"));
  expect(router.state.location.state).toEqual({ from: "/dashboard?waiver=1" });
});

test("ROUTE-34 a guest on a company page is redirected to the guest dashboard", async () => {
  signInWithAccount("gil");

  await expectRedirect(companyPage, "/dashboard", "/guest-dashboard");
});

test("GUEST-03 ROUTE-34 a company on a guest page is redirected to its dashboard", async () => {
  signInWithAccount("rosa");
  const guestPage = <RequireRole required="customer">{() => <p>guest</p>}</RequireRole>;

  await expectRedirect(guestPage, "/guest-dashboard", "/dashboard");
});

test("ROUTE-35 a page that requires one of several roles is open to each of them", async () => {
  signInWithAccount("gil");
  show(<RequireRole required={["company", "customer"]}>{({ name }) => <p>Hello {name}</p>}</RequireRole>);

  expect(await screen.findByText("Hello Gil Moreau")).toBeVisible();
});

test("ROUTE-37 the role comes from the server, not from the browser cache", async () => {
  signInAs(GIL);
  localStorage.setItem("user", JSON.stringify({ id: `user-${GIL.id}`, role: "company", name: "Gil" }));
  serve(accounts.gil);

  await expectRedirect(companyPage, "/dashboard", "/guest-dashboard");
});

test("a user whose session ended on the server is redirected to sign-in", async () => {
  signInAs(ROSA);
  serve({ "GET /rest/v1/profiles": { status: 401, body: { message: "JWT expired", code: "PGRST303" } } });

  await expectRedirect(companyPage, "/dashboard", "/signin");
});

test("ROUTE-30 a signed-in company does not see the sign-in page", async () => {
  signInWithAccount("rosa");

  await expectRedirect(signInPage, "/signin", "/dashboard");
});

test("ROUTE-30 a signed-in guest is redirected to the guest dashboard", async () => {
  signInWithAccount("gil");

  await expectRedirect(signInPage, "/signup", "/guest-dashboard");
});

test("a visitor sees the sign-in page", async () => {
  serve({});
  show(signInPage, "/signin");

  expect(await screen.findByText("Sign-in form")).toBeVisible();
});

test("without a network, the page opens only for the user to whom the offline copy belongs", async () => {
  stubIndexedDb();
  signInWithAccount("rosa");
  show(companyPage, "/dashboard");
  await screen.findByText("Secret of Rosa Marín");
  await startOfflineCopies(ROSA.id);
  await vi.waitFor(async () => expect(await readOfflineCopy(ROSA.id, ["account"])).toBeDefined());
  cleanup();
  queryClient.clear();
  goOffline();

  show(companyPage, "/dashboard");
  expect(await screen.findByText("Secret of Rosa Marín")).toBeVisible();
  cleanup();
  queryClient.clear();
  signInAs(GIL);

  show(companyPage, "/dashboard");
  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeVisible();
});

test("an expired session is kept while there is no network to refresh it", async () => {
  stubIndexedDb();
  const expiredSession = { ...sessionOf(ROSA), expires_at: 1 };
  localStorage.setItem("sb-cairn-auth-token", JSON.stringify(expiredSession));
  goOffline();
  const router = show(companyPage, "/dashboard");

  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard");
  expect(localStorage.getItem("sb-cairn-auth-token")).not.toBeNull();
});
