import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fillInRecipient } from "~/../testing/recipient";
import { ROSA, serve, sessionOf, signInAs, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import SendWaiverDialog from "./send-waiver-dialog";

const template = { id: "tpl-1", name: "River day", content: "I, [PARTICIPANT NAME], agree." };
const sessionCreated = { "POST /rest/v1/waiver_sessions": { status: 201, body: { id: "abc" } } };
const recordCreated = { "POST /rest/v1/sent_waivers": { status: 201 } };

function open() {
  signInAs(ROSA);
  return show(<SendWaiverDialog template={template} onClose={() => {}} />, "/dashboard/waivers");
}

async function send(button = "Send Waiver") {
  await fillInRecipient();
  await userEvent.click(screen.getByRole("button", { name: button }));
}

const bodyAt = (requests: RecordedRequest[], path: string) =>
  requests.find((request) => request.path === path)?.body;

test("TPL-19 an incomplete recipient is rejected, the missing fields are marked, and nothing is created or sent", async () => {
  const requests = serve({});
  open();
  await userEvent.type(screen.getByLabelText(/First Name/), "Gil");

  await userEvent.click(screen.getByRole("button", { name: "Send Waiver" }));

  expect(screen.getByRole("alert")).toHaveTextContent("Please provide first name, last name, and email");
  expect(screen.getByLabelText(/Last Name/)).toHaveFocus();
  expect(screen.getByLabelText(/First Name/)).toBeValid();
  for (const label of [/Last Name/, /Recipient Email/]) {
    expect(screen.getByLabelText(label)).toHaveAttribute("aria-invalid", "true");
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(
      "Please provide first name, last name, and email",
    );
  }
  await userEvent.type(screen.getByLabelText(/Last Name/), "Moreau");
  expect(screen.getByLabelText(/Last Name/)).not.toHaveAttribute("aria-invalid");
  expect(requests).toEqual([]);
});

test("TPL-20 TPL-30 sending creates a session, records the sending and emails the link", async () => {
  const emailDelivered = { "POST /functions/v1/send-email": { body: { id: "m1", status: "delivered" } } };
  const requests = serve({ ...sessionCreated, ...recordCreated, ...emailDelivered });
  const router = open();

  await send();

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard/sent-waivers"));
  expect(router.state.location.state).toEqual({ email: { result: "sent" } });
  expect(bodyAt(requests, "/rest/v1/waiver_sessions")).toEqual({
    template_id: "tpl-1",
    status: "pending",
    template_content: template.content,
    recipient_name: "Gil Moreau",
    recipient_email: "gil@example.com",
  });
  expect(bodyAt(requests, "/rest/v1/sent_waivers")).toMatchObject({
    session_id: "abc",
    status: "pending",
    sent_as_pdf: false,
  });
  expect(bodyAt(requests, "/functions/v1/send-email")).toMatchObject({
    to: "gil@example.com",
    subject: "Please sign: River day Waiver",
    body: expect.stringContaining(`${window.location.origin}/waivers/sign/session/abc`),
    attachmentType: "link",
    sessionId: "abc",
  });
  const authorization = `Bearer ${sessionOf(ROSA).access_token}`;
  expect(requests.every(({ headers }) => headers.get("authorization") === authorization)).toBe(true);
  expect(await screen.findByText("Waiver Sent Successfully")).toBeVisible();
});

test("ERR-28 the reason why an email was rejected is shown in the toast and on the next page", async () => {
  const emailRejected = { "POST /functions/v1/send-email": { status: 422, body: { error: "Mailbox full" } } };
  serve({ ...sessionCreated, ...recordCreated, ...emailRejected });
  const router = open();

  await send();

  expect(await screen.findByText("Failed to Send Waiver")).toBeVisible();
  expect(screen.getByText("Error: Mailbox full")).toBeVisible();
  expect(router.state.location.state).toEqual({ email: { result: "failed", reason: "Mailbox full" } });
  expect(JSON.parse(sessionStorage.getItem("lastSend") ?? "")).toEqual({
    result: "failed",
    reason: "Mailbox full",
  });
});

test.each([
  ["Send Waiver", "Failed to Send Waiver"],
  ["Send PDF", "Failed to Send PDF Waiver"],
])("PLAN-04 if the plan's limit is reached, %s shows %s and names the limit", async (button, title) => {
  const reason = "The Basic plan covers 1000 waivers a month, and that many were sent in November 2026.";
  const limitReached = { status: 402, body: { error: reason, code: "plan_limit_reached" } };
  serve({ ...sessionCreated, ...recordCreated, "POST /functions/v1/send-email": limitReached });
  open();
  if (button === "Send PDF") await userEvent.click(screen.getByRole("checkbox"));

  await send(button);

  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(`Error: ${reason}`)).toBeVisible();
});

test("an email that was kept in the local mailbox is not reported as sent", async () => {
  serve({
    ...sessionCreated,
    ...recordCreated,
    "POST /functions/v1/send-email": { body: { id: "m1", status: "kept" } },
  });
  const router = open();

  await send();

  expect(await screen.findByText("Saved in Email History; not delivered to anyone.")).toBeVisible();
  expect(router.state.location.state).toEqual({ email: { result: "kept" } });
});

test("if the session cannot be created no email is sent, and the reason is shown", async () => {
  const requests = serve({
    "POST /rest/v1/waiver_sessions": {
      status: 403,
      body: { code: "42501", message: "Only a company can send waivers." },
    },
  });
  open();

  await send();

  expect(await screen.findByText("Error: Only a company can send waivers.")).toBeVisible();
  expect(requests.some(({ path }) => path.startsWith("/functions"))).toBe(false);
});

const sessionFailed = {
  "POST /rest/v1/waiver_sessions": { status: 500, body: { code: "53100", message: "The disk is full." } },
};

test.each([
  ["the company's own template", { ...template, isSample: false }, "/waivers/sign/tpl-1"],
  ["a sample", { ...template, id: "template-x", isSample: true }, "/waivers/sign/template-x?company=c-1"],
])(
  "MAIL-17 if the server cannot create a session, the email contains the link of %s",
  async (_, sentTemplate, path) => {
    const requests = serve({
      ...sessionFailed,
      "GET /rest/v1/companies": { body: { id: "c-1" } },
      "POST /functions/v1/send-email": { body: { id: "m1", status: "delivered" } },
    });
    signInAs(ROSA);
    show(<SendWaiverDialog template={sentTemplate} onClose={() => {}} />, "/dashboard/waivers");

    await send();

    expect(await screen.findByText("Waiver Sent Successfully")).toBeVisible();
    const email = bodyAt(requests, "/functions/v1/send-email");
    expect(email).toMatchObject({
      to: "gil@example.com",
      attachmentType: "link",
      body: expect.stringContaining(`\n\n${window.location.origin}${path}\n\n`),
    });
    expect(email).not.toHaveProperty("sessionId");
    expect(bodyAt(requests, "/rest/v1/sent_waivers")).toBeUndefined();
  },
);

test("a PDF is not sent without a session", async () => {
  const requests = serve(sessionFailed);
  open();
  await userEvent.click(screen.getByRole("checkbox"));

  await send("Send PDF");

  expect(await screen.findByText("Failed to Send PDF Waiver")).toBeVisible();
  expect(requests.some(({ path }) => path.startsWith("/functions"))).toBe(false);
});

test("TPL-15 TPL-16 with the box ticked, the button is called Send PDF and sends the interactive PDF", async () => {
  const emailDelivered = { "POST /functions/v1/send-email": { body: { id: "m1", status: "delivered" } } };
  const requests = serve({ ...sessionCreated, ...recordCreated, ...emailDelivered });
  open();
  const box = screen.getByRole("checkbox", { name: "Send as interactive PDF (recipient can fill and sign)" });
  expect(box).not.toBeChecked();
  expect(screen.getByRole("button", { name: "Send Waiver" })).toBeVisible();

  await userEvent.click(box);
  await send("Send PDF");

  expect(await screen.findByText("PDF Waiver Sent Successfully")).toBeVisible();
  expect(bodyAt(requests, "/rest/v1/sent_waivers")).toMatchObject({ status: "sent_pdf", sent_as_pdf: true });
  expect(bodyAt(requests, "/functions/v1/send-email")).toMatchObject({
    attachmentType: "pdf",
    sessionId: "abc",
    body: expect.stringContaining(`${window.location.origin}/waivers/sign/session/abc`),
  });
});
