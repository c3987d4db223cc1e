import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { showToRosa, SIGNED_WAIVER } from "~/../testing/company";
import { DIRECTORY_RESPONSES } from "~/../testing/directory-entries";
import { PDF_RESPONSE, trackDownloads } from "~/../testing/downloads";
import { serve } from "~/../testing/server";
import { SIGNED_PATH, showWaivers } from "~/../testing/waivers";
import { stubWindow } from "~/../testing/window";
import Directory from "./directory";

beforeEach(() => stubWindow());

const responses = {
  ...DIRECTORY_RESPONSES,
  "GET /rest/v1/signed_waivers": { body: [SIGNED_WAIVER] },
  "GET /rest/v1/waiver_events": { body: [] },
  "GET /rest/v1/emails": { body: [] },
};
const downloadButton = { name: "Download waiver of Gil Moreau" };

test("a signed waiver can be downloaded from its row, and a pending one cannot", async () => {
  const fileNames = trackDownloads();
  const requests = serve({ ...responses, "POST /functions/v1/waiver-document": PDF_RESPONSE });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", downloadButton));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(fileNames).toEqual(["River day - Gil Moreau.pdf"]);
  expect(requests.at(-1)?.body).toEqual({ waiver_id: SIGNED_WAIVER.id });
  expect(screen.queryByRole("button", { name: "Download waiver of Ana Ortiz" })).toBeNull();
});

const TOO_LONG = { error: "This waiver is signed and stored.", code: "document_failed" };

test.each([
  ["a document that is still being prepared", 202, { status: "preparing" }, "Document being prepared"],
  ["a text that is too long for a PDF", 422, TOO_LONG, "No PDF of this waiver"],
])("%s is reported, and nothing is saved", async (_, status, body, message) => {
  const fileNames = trackDownloads();
  serve({ ...responses, "POST /functions/v1/waiver-document": { status, body } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", downloadButton));

  expect(await screen.findByText(message)).toBeVisible();
  expect(fileNames).toEqual([]);
});

test("the page of a waiver downloads its document", async () => {
  const fileNames = trackDownloads();
  const requests = serve({ ...responses, "POST /functions/v1/waiver-document": PDF_RESPONSE });
  showWaivers(SIGNED_PATH);

  await userEvent.click(await screen.findByRole("button", { name: "Download PDF" }));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(fileNames).toEqual(["River day - Gil Moreau.pdf"]);
  const download = requests.find(({ path }) => path.endsWith("/waiver-document"));
  expect(download?.body).toEqual({ waiver_id: SIGNED_WAIVER.id });
  // The download is a new entry of the history on the same page, so the page loads the history again.
  await waitFor(() => expect(requests.filter(({ path }) => path.endsWith("/waiver_events"))).toHaveLength(2));
});

test("the page of a waiver shows its history", async () => {
  const events = [
    {
      event_id: 1,
      at: "2026-03-04T12:00:00Z",
      name: "email.accepted",
      title: "Email accepted by the mail server",
      details: { recipient: "gil@example.com" },
    },
    {
      event_id: 2,
      at: "2026-03-04T12:05:00Z",
      name: "document.downloaded",
      title: "Document downloaded",
      details: { access: "company", ip: "203.0.113.7" },
    },
  ];
  serve({
    ...responses,
    "GET /rest/v1/waiver_events": { body: events },
    "GET /rest/v1/emails": { body: [] },
  });

  showWaivers(SIGNED_PATH);

  expect(await screen.findByText("Email accepted by the mail server")).toBeVisible();
  expect(screen.getByText("By your company")).toBeVisible();
  expect(screen.getByText("IP address 203.0.113.7")).toBeVisible();
});

test("the page of a waiver downloads the evidence pack and the signed heads", async () => {
  const fileNames = trackDownloads();
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_events": { body: [] },
    "GET /rest/v1/emails": { body: [] },
    "POST /functions/v1/evidence-pack": { body: "PK", headers: { "content-type": "application/zip" } },
    "POST /functions/v1/export-heads": {
      status: 403,
      body: { error: "Only a company account can do that." },
    },
  });
  showWaivers(SIGNED_PATH);

  await userEvent.click(await screen.findByRole("button", { name: "Download evidence pack" }));

  expect(await screen.findByText("evidence.zip is in your downloads.")).toBeVisible();
  const download = requests.find(({ path }) => path.endsWith("/evidence-pack"));
  expect(download?.body).toBe(JSON.stringify({ waiver_id: SIGNED_WAIVER.id }));
  await waitFor(() => expect(requests.filter(({ path }) => path.endsWith("/waiver_events"))).toHaveLength(2));
  await userEvent.click(screen.getByRole("button", { name: "Export signed heads" }));
  expect(await screen.findByText("Only a company account can do that.")).toBeVisible();
  expect(fileNames).toEqual(["evidence.zip"]);
});

test("a failed download is reported and can be retried", async () => {
  serve({ ...responses, "POST /functions/v1/waiver-document": { status: 500, body: { error: "no" } } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", downloadButton));

  expect(await screen.findByText("Failed to download the document")).toBeVisible();
  expect(screen.getByRole("button", downloadButton)).toBeEnabled();
});
