import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showToRosa, SIGNED } from "~/../testing/company";
import { PDF, watchDownloads } from "~/../testing/downloads";
import { serve } from "~/../testing/server";
import Directory from "./directory";

const pending = {
  id: "aaaaaaaa-0000-4000-8000-000000000002",
  template_name: "River day",
  recipient_name: "Ana Ortiz",
  recipient_email: "ana@example.com",
  created_at: "2026-03-03T12:00:00Z",
  expires_at: "2026-03-04T12:00:00Z",
};

const full = {
  "GET /rest/v1/signed_waivers": { body: [SIGNED] },
  "GET /rest/v1/waiver_sessions": { body: [pending] },
};

test("MGMT-03 MGMT-06 the directory joins signed waivers and pending sessions under these columns", async () => {
  serve(full);
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await screen.findByText("gil@example.com");
  const columns = screen.getAllByRole("columnheader").map((header) => header.textContent);
  expect(columns).toEqual(["Template", "Recipient/Signer", "Status", "Date", "Actions"]);
  const rows = screen.getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/Gil Moreau.*gil@example\.com.*Signed/),
    expect.stringMatching(/Ana Ortiz.*ana@example\.com.*Expired/),
  ]);
});

test("ROUTE-19 MGMT-14 the address opens the newest signed waiver of a session, and closing takes it back", async () => {
  const seen = serve(full);
  const router = showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${SIGNED.session_id}`);

  expect(await screen.findByRole("dialog", { name: "River day" })).toBeVisible();
  const asked = seen.find(({ query }) => query.has("session_id"));
  expect(asked?.query.get("session_id")).toBe(`eq.${SIGNED.session_id}`);
  expect(asked?.query.get("order")).toBe("signed_at.desc");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toBe(""));
});

test("ERR-27 an unsigned waiver is told to be pending, without alarm", async () => {
  serve({ ...full, "GET /rest/v1/signed_waivers": { body: [] } });
  showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${pending.id}`);

  expect(await screen.findByText("Waiver Pending")).toBeVisible();
  expect(screen.getByText("This waiver has not been signed yet.")).toBeVisible();
});

test("an empty directory says so", async () => {
  serve({ "GET /rest/v1/signed_waivers": { body: [] }, "GET /rest/v1/waiver_sessions": { body: [] } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  expect(await screen.findByText("No waivers found.")).toBeVisible();
});

test("MGMT-12 Email Settings opens the email dialog", async () => {
  serve(full);
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(screen.getByRole("button", { name: "Email Settings" }));

  expect(await screen.findByRole("dialog", { name: "Email Service Configuration" })).toBeVisible();
});

const download = { name: "Download waiver of Gil Moreau" };

test("a signed waiver is downloaded from its row, and only a signed one offers it", async () => {
  const saved = watchDownloads();
  const seen = serve({ ...full, "POST /functions/v1/waiver-document": PDF });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(saved).toEqual(["River day - Gil Moreau.pdf"]);
  expect(seen.at(-1)?.body).toEqual({ waiver_id: SIGNED.id });
  expect(screen.queryByRole("button", { name: "Download waiver of Ana Ortiz" })).toBeNull();
});

test("a document that is not there yet is said to be prepared, and nothing is saved", async () => {
  const saved = watchDownloads();
  const preparing = { status: 202, body: { status: "preparing" } };
  serve({ ...full, "POST /functions/v1/waiver-document": preparing });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("Document being prepared")).toBeVisible();
  expect(saved).toEqual([]);
});

test("the dialog downloads the document of the waiver it shows", async () => {
  const saved = watchDownloads();
  const seen = serve({ ...full, "POST /functions/v1/waiver-document": PDF });
  showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${SIGNED.session_id}`);

  await userEvent.click(await screen.findByRole("button", { name: "Download PDF" }));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(saved).toEqual(["River day - Gil Moreau.pdf"]);
  expect(seen.at(-1)?.body).toEqual({ waiver_id: SIGNED.id });
});

test("a download that fails is told, and can be tried again", async () => {
  serve({ ...full, "POST /functions/v1/waiver-document": { status: 500, body: { error: "no" } } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("Failed to download the document")).toBeVisible();
  expect(screen.getByRole("button", download)).toBeEnabled();
});
