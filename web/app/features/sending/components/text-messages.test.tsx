import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SENT_WAIVER } from "~/../testing/company";
import { fillInRecipient } from "~/../testing/recipient";
import { ROSA, serve, signInAs, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import SendWaiverDialog from "./send-waiver-dialog";
import { SentWaivers } from "./sent-waivers";

const template = { id: "tpl-1", name: "River day", content: "I agree." };
const gatewayResponse = { "POST /functions/v1/text-messages": { body: { offered: true } } };
const storedResponses = {
  "POST /rest/v1/waiver_sessions": { status: 201, body: { id: "abc" } },
  "POST /rest/v1/sent_waivers": { status: 201 },
  "POST /rest/v1/rpc/note_failed_sending": { status: 204 },
};
const deliveredText = { status: "delivered", error: null };
const failedText = { status: "failed", error: "Invalid number" };

const emailRequests = (requests: RecordedRequest[]) =>
  requests.filter(({ path }) => path.endsWith("send-email"));

async function sendTo(number: string) {
  signInAs(ROSA);
  show(<SendWaiverDialog template={template} onClose={() => {}} />, "/dashboard/waivers");
  const field = await screen.findByLabelText("Mobile Number");
  await fillInRecipient();
  if (number) await userEvent.type(field, number);
  await userEvent.click(screen.getByRole("button", { name: "Send Waiver" }));
}

test.each([
  [
    200,
    { id: "m", status: "delivered", text: deliveredText },
    "Waiver Sent Successfully",
    "The text message was sent.",
  ],
  [
    200,
    { id: "m", status: "delivered", text: failedText },
    "Waiver Sent Successfully",
    "The text message was not sent: Invalid number",
  ],
  [
    200,
    { id: "m", status: "delivered", text: { status: "sending", error: null } },
    "Waiver Sent Successfully",
    "The text message is on its way.",
  ],
  [
    200,
    { id: "m", status: "kept", text: deliveredText },
    "Waiver Ready, Not Mailed",
    "Saved in Email History; not delivered to anyone. The text message was sent.",
  ],
  [
    502,
    { error: "Mailbox full", text: deliveredText },
    "Failed to Send Waiver",
    "Error: Mailbox full The text message was sent.",
  ],
])(
  "PLAN-09 the response %i with %j shows the outcome of the email and of the text message",
  async (status, body, title, description) => {
    const requests = serve({
      ...gatewayResponse,
      ...storedResponses,
      "POST /functions/v1/send-email": { status, body },
    });

    await sendTo("+1 212 555 0123");

    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText(description)).toBeVisible();
    expect(emailRequests(requests)[0]?.body).toMatchObject({
      to: "gil@example.com",
      phone: "+1 212 555 0123",
    });
  },
);

test("PLAN-09 the phone number is optional", async () => {
  const emailDelivered = { "POST /functions/v1/send-email": { body: { id: "m", status: "delivered" } } };
  const requests = serve({ ...gatewayResponse, ...storedResponses, ...emailDelivered });

  await sendTo("");

  expect(await screen.findByText("Waiver Sent Successfully")).toBeVisible();
  expect(emailRequests(requests)[0]?.body).not.toHaveProperty("phone");
});

test("a phone number without a country code is rejected before anything is sent", async () => {
  const requests = serve(gatewayResponse);

  await sendTo("079 123 45 67");

  expect(screen.getByRole("alert")).toHaveTextContent(
    "Please write the number with its country, such as +1 212 555 0123.",
  );
  expect(screen.getByLabelText("Mobile Number")).toHaveFocus();
  expect(emailRequests(requests)).toEqual([]);
});

test("PLAN-09 without an SMS gateway there is no phone field", async () => {
  const requests = serve({ "POST /functions/v1/text-messages": { body: { offered: false } } });
  signInAs(ROSA);
  show(<SendWaiverDialog template={template} onClose={() => {}} />);

  await waitFor(() => expect(requests).toHaveLength(1));
  expect(screen.queryByLabelText("Mobile Number")).toBeNull();
});

const row = {
  ...SENT_WAIVER,
  email_status: "delivered",
  email_error: null,
  recipient_phone: "+12125550123",
  text_status: "failed",
  text_error: "No such number",
};

function showSent(changes: object) {
  const list = {
    "GET /rest/v1/sent_waivers": { body: [{ ...row, ...changes }] },
    "GET /rest/v1/waiver_sessions": {
      body: [{ id: row.session_id, status: "pending", expires_at: "2100-01-01T00:00:00Z" }],
    },
    "GET /rest/v1/emails": { body: [] },
    "POST /rest/v1/rpc/resend_waiver": { body: row.session_id },
    "POST /functions/v1/send-email": { body: { id: "m", status: "delivered" } },
  };
  const requests = serve({ ...gatewayResponse, ...storedResponses, ...list });
  signInAs(ROSA);
  show(<SentWaivers />);
  return requests;
}

test.each([
  [{}, "Text message not sent to +12125550123: No such number"],
  [{ text_status: "delivered" }, "Text message sent to +12125550123"],
  [{ text_status: "sending" }, "Text message on its way to +12125550123"],
])("PLAN-09 a sent waiver with %j shows: %s", async (changes, text) => {
  showSent(changes);

  expect(
    await screen.findByText((_, element) => element?.tagName === "SPAN" && element.textContent === text),
  ).toBeVisible();
});

test.each([
  [{}, true],
  [{ text_status: "delivered" }, true],
  [{ text_status: "delivered", email_status: "failed" }, false],
  [{ recipient_phone: null, text_status: null }, false],
])("sending a waiver with %j again also repeats the text message: %s", async (changes, isTexted) => {
  const requests = showSent(changes);

  await userEvent.click(await screen.findByRole("button", { name: "Send again to Gil Moreau" }));
  await screen.findByText("Waiver Sent Successfully");

  expect(Object.hasOwn(emailRequests(requests)[0]?.body ?? {}, "phone")).toBe(isTexted);
});
