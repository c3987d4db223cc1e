import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PDF_RESPONSE, trackDownloads } from "~/../testing/downloads";
import { fillInRecipient } from "~/../testing/recipient";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import SendPdfDialog from "./send-pdf-dialog";

const template = { id: "tpl-1", name: "River day", content: "I, [PARTICIPANT NAME], agree." };
const createdResponses = {
  "POST /rest/v1/waiver_sessions": { status: 201, body: { id: "abc" } },
  "POST /rest/v1/sent_waivers": { status: 201 },
};

function open() {
  signInAs(ROSA);
  return show(<SendPdfDialog template={template} onClose={() => {}} />, "/dashboard/waivers");
}

async function send(email = "gil@example.com") {
  await fillInRecipient(email);
  await userEvent.type(screen.getByLabelText("Email Message"), "See you at the bridge.");
  await userEvent.click(screen.getByRole("button", { name: "Send PDF" }));
}

test("TPL-17 the dialog has fields for names, email and message, and a preview button", () => {
  open();

  expect(screen.getByRole("dialog", { name: "Send Fillable PDF Waiver" })).toBeVisible();
  for (const label of [/First Name/, /Last Name/, /Recipient Email/, "Email Message"])
    expect(screen.getByLabelText(label)).toBeVisible();
  expect(screen.getByRole("button", { name: "Preview PDF Template" })).toBeVisible();
});

test("TPL-19 an incomplete recipient is rejected, and nothing is created or sent", async () => {
  const requests = serve({});
  open();

  await userEvent.click(screen.getByRole("button", { name: "Send PDF" }));

  expect(screen.getByRole("alert")).toHaveTextContent("Please provide first name, last name, and email");
  expect(screen.getByLabelText(/First Name/)).toHaveFocus();
  expect(requests).toEqual([]);
});

test("an address without an @ is rejected before anything is created", async () => {
  const requests = serve({});
  open();

  await send("gil at example");

  expect(screen.getByRole("alert")).toHaveTextContent("This email address is not complete.");
  expect(screen.getByLabelText(/Recipient Email/)).toHaveFocus();
  expect(requests).toEqual([]);
});

test("ERR-29 MAIL-18 a delivered PDF is reported as sent, and the email mentions the attachment", async () => {
  const deliveredResponse = { "POST /functions/v1/send-email": { body: { id: "m1", status: "delivered" } } };
  const requests = serve({ ...createdResponses, ...deliveredResponse });
  const router = open();

  await send();

  expect(await screen.findByText("PDF Waiver Sent Successfully")).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard/sent-waivers");
  expect(requests.find(({ path }) => path.endsWith("send-email"))?.body).toMatchObject({
    attachmentType: "pdf",
    body: expect.stringMatching(/See you at the bridge\.[^]*is attached as a PDF/),
  });
});

test("ERR-29 if the server rejects the email with the PDF, the reason is shown and the failure is recorded", async () => {
  const rejectedResponse = {
    "POST /functions/v1/send-email": { status: 400, body: { error: "Mailbox full" } },
  };
  const requests = serve({
    ...createdResponses,
    ...rejectedResponse,
    "POST /rest/v1/rpc/note_failed_sending": { status: 204 },
  });
  const router = open();

  await send();

  expect(await screen.findByText("Failed to Send PDF Waiver")).toBeVisible();
  expect(screen.getByText("Error: Mailbox full")).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard/sent-waivers");
  const failureReport = requests.find(({ path }) => path.endsWith("note_failed_sending"))?.body;
  expect(failureReport).toEqual({ session_id: "abc", reason: "Mailbox full" });
});

test("the preview shows the form of the template and can download it", async () => {
  const fileNames = trackDownloads();
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { pdfViewerEnabled: true }));
  const requests = serve({ "POST /functions/v1/waiver-form": PDF_RESPONSE });
  open();

  await userEvent.click(screen.getByRole("button", { name: "Preview PDF Template" }));

  expect(await screen.findByTitle("PDF of River day")).toHaveAttribute(
    "src",
    expect.stringMatching(/^blob:here/),
  );
  expect(requests[0]?.body).toEqual({ template_id: "tpl-1" });
  await userEvent.click(screen.getByRole("button", { name: "Download" }));
  expect(fileNames).toEqual(["River day (to sign).pdf"]);
});

test("a browser without an embedded PDF viewer opens the PDF in a new tab", async () => {
  trackDownloads();
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { pdfViewerEnabled: false }));
  serve({ "POST /functions/v1/waiver-form": PDF_RESPONSE });
  open();

  await userEvent.click(screen.getByRole("button", { name: "Preview PDF Template" }));

  expect(await screen.findByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", "blob:here");
  expect(screen.queryByTitle("PDF of River day")).toBeNull();
});

test("if the form cannot be created, an error is shown and the typed values stay", async () => {
  serve({ "POST /functions/v1/waiver-form": { status: 500, body: { error: "no" } } });
  open();
  await userEvent.type(screen.getByLabelText(/First Name/), "Gil");

  await userEvent.click(screen.getByRole("button", { name: "Preview PDF Template" }));

  expect(await screen.findByText("The PDF could not be made", {}, { timeout: 4000 })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByLabelText(/First Name/)).toHaveValue("Gil");
});
