import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SENT_WAIVER } from "~/../testing/company";
import { ROSA, serve, signInAs, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import { SentWaivers } from "./sent-waivers";

const row = {
  ...SENT_WAIVER,
  email_status: "failed",
  email_error: "Mailbox full",
};
const session = { id: row.session_id, status: "pending", expires_at: "2100-01-01T00:00:00Z" };
const listResponses = {
  "GET /rest/v1/sent_waivers": { body: [row] },
  "GET /rest/v1/waiver_sessions": { body: [session] },
  "POST /rest/v1/rpc/resend_waiver": { body: row.session_id },
};

const linkTo = (id: string) => `https://cairn.example/waivers/sign/session/${id}`;

function open() {
  signInAs(ROSA);
  show(<SentWaivers />);
}

test("a failed email shows its reason and can be sent again with the same text", async () => {
  const firstEmail = { recipient: "gil@example.com", subject: "Please sign", body: "Hello Gil, see you." };
  const requests = serve({
    ...listResponses,
    "GET /rest/v1/emails": { body: [firstEmail] },
    "POST /functions/v1/send-email": { body: { id: "m2", status: "delivered" } },
  });
  open();
  expect(await screen.findByText("Mailbox full")).toBeVisible();
  expect(screen.getByText("Failed")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Send again to Gil Moreau" }));

  expect(await screen.findByText("Waiver Sent Successfully")).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith("send-email"))?.body).toEqual({
    to: "gil@example.com",
    subject: "Please sign",
    body: "Hello Gil, see you.",
    sessionId: row.session_id,
    attachmentType: "link",
  });
});

test("a signed waiver is shown as signed and cannot be sent again", async () => {
  serve({ ...listResponses, "GET /rest/v1/waiver_sessions": { body: [{ ...session, status: "signed" }] } });
  open();

  expect(await screen.findByText("Signed")).toBeVisible();
  expect(screen.queryByText("Mailbox full")).toBeNull();
  expect(screen.queryByRole("button", { name: /Send again/ })).toBeNull();
});

test("SIGN-21 an expired waiver is sent again with the link of its new session", async () => {
  const newId = "5e551011-0000-4000-8000-000000000002";
  const firstEmail = { recipient: "gil@example.com", subject: "Please sign", body: linkTo(row.session_id) };
  const requests = serve({
    ...listResponses,
    "GET /rest/v1/waiver_sessions": { body: [{ ...session, expires_at: "2026-03-05T12:00:00Z" }] },
    "GET /rest/v1/emails": { body: [firstEmail] },
    "POST /rest/v1/rpc/resend_waiver": { body: newId },
    "POST /functions/v1/send-email": { body: { id: "m2", status: "delivered" } },
  });
  open();
  expect(await screen.findByText("Expired")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Copy link/ })).toBeNull();

  await userEvent.click(screen.getByRole("button", { name: "Send again to Gil Moreau" }));

  expect(await screen.findByText("Waiver Sent Successfully")).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith("send-email"))?.body).toMatchObject({
    sessionId: newId,
    body: linkTo(newId),
  });
});

test("a cancelled waiver is shown as cancelled and has no link and no button to send it", async () => {
  serve({
    ...listResponses,
    "GET /rest/v1/waiver_sessions": { body: [{ ...session, status: "cancelled" }] },
  });
  open();

  expect(await screen.findByText("Cancelled")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Send again|Copy link/ })).toBeNull();
});

test("the link is copied to the clipboard", async () => {
  serve(listResponses);
  open();
  const user = userEvent.setup();

  await user.click(await screen.findByRole("button", { name: "Copy link for Gil Moreau" }));

  expect(await screen.findByText("Link copied")).toBeVisible();
  const link = `${window.location.origin}/waivers/sign/session/${row.session_id}`;
  expect(await navigator.clipboard.readText()).toBe(link);
});

test("Show more loads older rows", async () => {
  const rows = Array.from({ length: 12 }, (_, n) => ({ ...row, id: `s${n}` }));
  const respondWithLimit = ({ query }: RecordedRequest) => ({
    body: rows.slice(0, Number(query.get("limit"))),
  });
  serve({ ...listResponses, "GET /rest/v1/sent_waivers": respondWithLimit });
  open();
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(10));

  await userEvent.click(screen.getByRole("button", { name: "Show more" }));

  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(12));
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("a list that could not be loaded shows an error", async () => {
  serve({ "GET /rest/v1/sent_waivers": { status: 404, body: { code: "x", message: "no" } } });
  open();

  expect(await screen.findByText("What you sent could not be loaded")).toBeVisible();
});
