import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { NO_WAIVERS, showToRosa } from "~/../testing/company";
import { stubIndexedDb } from "~/../testing/indexed-db";
import { goOffline, goOnline } from "~/../testing/network";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { TEMPLATE_ROW } from "~/../testing/template-row";
import { stubWindow } from "~/../testing/window";
import { startOfflineCopies } from "~/lib/offline-copies";
import { queryClient } from "~/lib/query-client";
import { shownToast } from "~/ui/toast-store";
import Dashboard from "./dashboard";
import Directory from "./directory";
import Profile from "./profile";
import Templates from "./templates";

const LABEL = /^Copy on this device, saved (just now|\d+ minutes ago)$/;
const session = {
  id: "5e551011-0000-4000-8000-000000000001",
  template_id: "tpl-1",
  template_name: "River day",
  recipient_name: "Gil Moreau",
  signer_name: null,
  status: "pending",
  created_at: "2026-03-04T12:00:00Z",
  expires_at: "2100-01-01T00:00:00Z",
};
const entry = {
  id: "e1",
  type: "pending",
  session_id: session.id,
  template_id: "tpl-1",
  template_name: "River day",
  name: "Gil Moreau",
  email: "gil@example.com",
  status: "pending",
  at: "2026-03-04T12:00:00Z",
  place: "2026-03-04T12:00:00Z",
  minors: [],
  flags: ["Asthma"],
};
const sentWaiver = {
  ...session,
  session_id: session.id,
  recipient_email: "gil@example.com",
  sent_as_pdf: false,
  email_status: "delivered",
  email_error: null,
  sent_at: "2026-03-04T12:00:00Z",
};
const responses = {
  "GET /rest/v1/waiver_sessions": { body: [session] },
  "POST /rest/v1/rpc/waiver_counts": { body: { ...NO_WAIVERS, total: 1, pending: 1 } },
  "POST /rest/v1/rpc/waiver_directory": { body: [entry] },
  "POST /rest/v1/rpc/count_waiver_directory": { body: 1 },
  "GET /rest/v1/waiver_templates": { body: [TEMPLATE_ROW] },
  "GET /rest/v1/sent_waivers": { body: [sentWaiver] },
};
const PAGES = [
  { name: "the dashboard", page: <Dashboard />, path: "/dashboard", labelCount: 1 },
  { name: "the templates and what was sent", page: <Templates />, path: "/dashboard/waivers", labelCount: 2 },
  { name: "the directory", page: <Directory />, path: "/dashboard/waiver-management", labelCount: 1 },
];

beforeEach(async () => {
  stubWindow();
  stubIndexedDb();
  signInAs(ROSA);
  await startOfflineCopies(ROSA.id);
});

const findGuest = () => screen.findAllByText("Gil Moreau");

async function openOnline(page: ReactNode, path: string) {
  serve(responses);
  showToRosa(page, path);
  await findGuest();
}

/** Closes the page, and opens it again without a network. */
async function reopenOffline(page: ReactNode, path: string) {
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await startOfflineCopies(ROSA.id);
  cleanup();
  queryClient.clear();
  goOffline();
  showToRosa(page, path);
  await findGuest();
}

test.each(PAGES)(
  "without a network $name stays visible with a label, and is refetched when the network is back",
  async ({ page, path, labelCount }) => {
    await openOnline(page, path);
    expect(screen.queryByText(LABEL)).toBeNull();

    goOffline();
    expect(await screen.findAllByText(LABEL)).toHaveLength(labelCount);
    expect(await findGuest()).not.toHaveLength(0);
    const requests = serve(responses);
    await goOnline();

    await waitFor(() => expect(screen.queryByText(LABEL)).toBeNull());
    await waitFor(() =>
      expect(requests.filter((request) => request.path.startsWith("/rest/"))).not.toHaveLength(0),
    );
    expect(shownToast()).toBeUndefined();
  },
);

test.each(PAGES)(
  "opened without a network, $name shows the offline copy",
  async ({ page, path, labelCount }) => {
    await openOnline(page, path);

    await reopenOffline(page, path);

    await waitFor(() => expect(screen.getAllByText(LABEL)).toHaveLength(labelCount));
    expect(shownToast()).toBeUndefined();
  },
);

test("FORM-41 the copy on the device says that a waiver is flagged, but not why", async () => {
  await openOnline(<Directory />, "/dashboard/waiver-management");
  expect(screen.getByText("Asthma")).toBeVisible();

  await reopenOffline(<Directory />, "/dashboard/waiver-management");

  expect(screen.getByText("Flagged, see online")).toBeVisible();
  expect(screen.queryByText("Asthma")).toBeNull();
});

test.each(PAGES)(
  "without an offline copy $name says that the browser is offline, and loads when the network is back",
  async ({ page, path }) => {
    goOffline();
    showToRosa(page, path);
    expect(await screen.findAllByRole("heading", { name: "You are offline" })).not.toHaveLength(0);
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
    expect(shownToast()).toBeUndefined();

    serve(responses);
    await goOnline();

    await findGuest();
    expect(screen.queryByRole("heading", { name: "You are offline" })).toBeNull();
  },
);

test("a change made offline fails immediately, and the typed values stay", async () => {
  serve({});
  showToRosa(<Profile />, "/dashboard/profile");
  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  const name = screen.getByLabelText("Full Name");
  await userEvent.clear(name);
  await userEvent.type(name, "Rosa M.");
  goOffline();

  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Update failed")).toBeVisible();
  expect(screen.getByText(/^You are offline, so nothing was changed\./)).toBeVisible();
  expect(name).toHaveValue("Rosa M.");
});
