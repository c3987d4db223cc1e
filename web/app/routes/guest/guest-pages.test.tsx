import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Outlet } from "react-router";
import { expect, test, vi } from "vitest";
import { rosa } from "~/../testing/company";
import { stubIndexedDb } from "~/../testing/indexed-db";
import { PDF_RESPONSE, trackDownloads } from "~/../testing/downloads";
import { goOffline, goOnline } from "~/../testing/network";
import { accounts, GIL, deferredResponse, serve, signInAs } from "~/../testing/server";
import { showRoutes } from "~/../testing/show";
import GuestLayout from "~/layouts/guest-layout";
import { startOfflineCopies, readOfflineCopy } from "~/lib/offline-copies";
import MyWaivers from "./my-waivers";
import GuestProfile from "./profile";

const gil = { ...rosa, ...GIL, name: "Gil Moreau", role: "customer", company: null } as const;
const PROVEN_ADDRESS = { "POST /rest/v1/rpc/my_address": { body: "proven" } };
const TRIAL = { start_date: "2026-03-01T09:00:00Z", subscribed: false, days_remaining: 5, is_active: true };

const PENDING_SESSION_ID = "5e551011-0000-4000-8000-000000000001";

const waiver = (status: string, fields: object = {}) => ({
  session_id: status === "pending" ? PENDING_SESSION_ID : "5e551011-0000-4000-8000-000000000002",
  waiver_id: null,
  status,
  template_name: "River day",
  company_name: "Rio Rafting",
  sent_at: "2026-03-04T12:00:00Z",
  expires_at: null,
  signed_at: null,
  document_status: null,
  ...fields,
});
const signedWaiver = waiver("signed", {
  waiver_id: "w1",
  signed_at: "2026-03-05T12:00:00Z",
  document_status: "ready",
});

const pages = [
  { path: "/guest-dashboard", element: <MyWaivers /> },
  { path: "/guest-dashboard/profile", element: <GuestProfile /> },
];

function showToGil(path = "/guest-dashboard") {
  signInAs(GIL);
  return showRoutes([{ element: <Outlet context={gil} />, children: pages }], path);
}

const responses = (rows: object[]) => ({ ...PROVEN_ADDRESS, "POST /rest/v1/rpc/my_waivers": { body: rows } });

test("until the address is verified, My Waivers offers to send the email again", async () => {
  const requests = serve({
    "POST /rest/v1/rpc/my_address": { body: "unverified" },
    "POST /rest/v1/rpc/my_waivers": { body: [] },
    "POST /auth/v1/resend": { body: {} },
  });
  showToGil();

  expect(await screen.findByText("Please verify your email")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Send the mail again" }));

  expect(await screen.findByText("Mail sent")).toBeVisible();
  expect(requests.at(-1)?.query.get("redirect_to")).toBe(`${window.location.origin}/guest-dashboard`);
});

test("if the address was verified on another device, the user has to sign in again on this one", async () => {
  serve({
    "POST /rest/v1/rpc/my_address": { body: "sign in again" },
    "POST /rest/v1/rpc/my_waivers": { body: [] },
    "POST /auth/v1/logout": { status: 204 },
  });
  const router = showToGil();

  await userEvent.click(await screen.findByRole("button", { name: "Sign in again" }));

  expect(await screen.findByText("elsewhere")).toBeVisible();
  expect(router.state.location.pathname).toBe("/signin");
});

test("pending waivers are listed before expired ones, and each names its company", async () => {
  serve(responses([signedWaiver, waiver("expired"), waiver("pending", { template_name: "Night swim" })]));
  showToGil();

  const pendingList = await screen.findByRole("region", { name: "Waiting for your signature" });
  expect(
    within(pendingList)
      .getAllByRole("heading", { level: 3 })
      .map((title) => title.textContent),
  ).toEqual(["Night swim", "River day"]);
  expect(within(pendingList).getByText("Ask Rio Rafting for a new link.")).toBeVisible();
  expect(within(pendingList).getAllByRole("button", { name: /Sign Waiver/ })).toHaveLength(1);
  expect(
    within(screen.getByRole("region", { name: "Signed" })).getByText("Signed", { selector: "span" }),
  ).toBeVisible();
});

test("GUEST-09 Sign Waiver shows a toast and opens the session", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { ...window.location, origin: window.location.origin, assign });
  serve(responses([waiver("pending")]));
  showToGil();

  await userEvent.click(await screen.findByRole("button", { name: "Sign Waiver: River day, Rio Rafting" }));

  expect(await screen.findByText("Opening waiver")).toBeVisible();
  expect(assign).toHaveBeenCalledWith(`/waivers/sign/session/${PENDING_SESSION_ID}`);
});

test("a signed waiver can be downloaded", async () => {
  const fileNames = trackDownloads();
  const requests = serve({
    ...responses([signedWaiver]),
    "POST /functions/v1/waiver-document": PDF_RESPONSE,
  });
  showToGil();

  await userEvent.click(await screen.findByRole("button", { name: "Download PDF: River day, Rio Rafting" }));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(fileNames).toEqual(["River day - Gil Moreau.pdf"]);
  expect(requests.at(-1)?.body).toEqual({ waiver_id: "w1" });
});

test("a revoked waiver is marked in the list of signed ones and can still be downloaded", async () => {
  serve(responses([{ ...signedWaiver, status: "revoked" }]));
  showToGil();

  const signedList = await screen.findByRole("region", { name: "Signed" });
  expect(within(signedList).getByText("Revoked")).toBeVisible();
  expect(within(signedList).getByRole("button", { name: /Download PDF/ })).toBeEnabled();
});

test("a signed waiver whose text is too long for a PDF has an explanation instead of the download button", async () => {
  serve(responses([{ ...signedWaiver, document_status: "failed" }]));
  showToGil();

  expect(await screen.findByText("Signed and stored. The text is too long for a PDF.")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Download PDF/ })).toBeNull();
});

test("without a network the page shows the offline copy with a label, or says that it is offline", async () => {
  stubIndexedDb();
  signInAs(GIL);
  await startOfflineCopies(GIL.id);
  goOffline();
  showToGil();
  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeVisible();

  serve(responses([signedWaiver]));
  await goOnline();
  expect(await screen.findByText("River day")).toBeVisible();
  goOffline();

  expect(await screen.findByText(/^Copy on this device, saved just now$/)).toBeVisible();
  expect(screen.getByText("River day")).toBeVisible();
});

test("GUEST-10 without waivers the page says No waivers yet", async () => {
  serve(responses([]));
  showToGil();

  expect(await screen.findByRole("heading", { name: "No waivers yet" })).toBeVisible();
});

test("a skeleton is shown while loading, and a failure can be retried", async () => {
  const { wait, respond } = deferredResponse();
  let isFailing = true;
  const waiversResponse = () =>
    isFailing ? { status: 404, body: { message: "gone" }, wait } : { body: [signedWaiver] };
  serve({ ...PROVEN_ADDRESS, "POST /rest/v1/rpc/my_waivers": waiversResponse });
  showToGil();
  expect(screen.getByLabelText("Loading your waivers")).toBeVisible();

  respond();
  expect(await screen.findByText("Your waivers could not be loaded")).toBeVisible();
  isFailing = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("River day")).toBeVisible();
});

test("GUEST-01 GUEST-02 the top bar links to waivers and profile, shows the trial, and has a button that signs out and opens /signin", async () => {
  signInAs(GIL);
  serve({
    ...accounts.gil,
    ...responses([]),
    "GET /rest/v1/trials": { body: [TRIAL] },
    "POST /rest/v1/rpc/tell_trial": { body: null },
    "POST /auth/v1/logout": { status: 204 },
  });
  const router = showRoutes([{ element: <GuestLayout />, children: pages }], "/guest-dashboard");

  expect(await screen.findByRole("link", { name: "My Waivers" })).toHaveAttribute("href", "/guest-dashboard");
  expect(screen.getByRole("link", { name: "Profile" })).toHaveAttribute("href", "/guest-dashboard/profile");
  expect(await screen.findByText("Trial: 5 days remaining")).toBeVisible();
  expect(screen.getByText("Guests never pay. A plan is only for sending waivers of your own.")).toBeVisible();
  expect(screen.getByRole("contentinfo")).toHaveTextContent("Simplifying waiver management for businesses.");
  await userEvent.click(screen.getByRole("button", { name: "Sign out" }));

  expect(await screen.findByText("Signed out")).toBeVisible();
  expect(router.state.location.pathname).toBe("/signin");
});

test("signing out works without a network and deletes all data on the device", async () => {
  stubIndexedDb();
  signInAs(GIL);
  serve({ ...accounts.gil, ...responses([]) });
  const router = showRoutes([{ element: <GuestLayout />, children: pages }], "/guest-dashboard");
  const signOut = await screen.findByRole("button", { name: "Sign out" });
  await startOfflineCopies(GIL.id);
  await vi.waitFor(async () => expect(await readOfflineCopy(GIL.id, ["account"])).toBeDefined());
  goOffline();

  await userEvent.click(signOut);

  expect(await screen.findByText("Signed out")).toBeVisible();
  expect(router.state.location.pathname).toBe("/signin");
  expect(await indexedDB.databases()).toEqual([]);
  expect(localStorage).toHaveLength(0);
});

test("a guest has a profile without a company name", () => {
  serve({});
  showToGil("/guest-dashboard/profile");

  expect(screen.getByLabelText("Full Name")).toHaveValue("Gil Moreau");
  expect(screen.queryByLabelText("Company Name")).toBeNull();
  expect(screen.getByRole("link", { name: /Password & Security/ })).toBeVisible();
});
