import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { SIGNED_WAIVER } from "~/../testing/company";
import { pendingEntry } from "~/../testing/directory-entries";
import { serve, type RecordedRequest } from "~/../testing/server";
import { unsignedResponses } from "~/../testing/unsigned-waiver";
import { SIGNED_PATH, showWaivers } from "~/../testing/waivers";
import { stubWindow } from "~/../testing/window";

beforeEach(() => stubWindow());

const PATH = "/dashboard/waiver-management";
const signedResponses = {
  // A query with the signer's email looks for newer waivers of the same guest.
  "GET /rest/v1/signed_waivers": ({ query }: RecordedRequest) => ({
    body: query.has("signer_email") ? [] : [SIGNED_WAIVER],
  }),
  "GET /rest/v1/emails": { body: [] },
  "GET /rest/v1/waiver_events": { body: [] },
};
const REFUSAL = {
  code: "PT409",
  message: "Refused.",
  details: '{"code": "waiver_already_signed", "parameters": {}}',
};

const bodyOf = (requests: RecordedRequest[], path: string) =>
  requests.find((request) => request.path.endsWith(path))?.body;
const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));

async function openUnsigned(responses: Parameters<typeof serve>[0] = {}, fields: object = {}) {
  const requests = serve({ ...unsignedResponses(fields), ...responses });
  const router = showWaivers(`${PATH}/${pendingEntry.id}`);
  await screen.findByRole("heading", { name: "Ana Ortiz" });
  return { requests, router };
}

async function openSigned(responses: Parameters<typeof serve>[0] = {}) {
  const requests = serve({ ...signedResponses, ...responses });
  showWaivers(SIGNED_PATH);
  await screen.findByRole("heading", { name: "Gil Moreau" });
  return requests;
}

test("ERR-27 an unsigned waiver opens with its history and its buttons", async () => {
  await openUnsigned();

  const history = screen.getByRole("region", { name: "History" });
  expect(await within(history).findByText("Waiver created")).toBeVisible();
  expect(screen.getByRole("region", { name: "Waiver content" })).toHaveTextContent("I agree.");
  for (const name of ["Send again", "Remind", "Copy link", "Correct name or email", "Cancel waiver"])
    expect(screen.getByRole("button", { name })).toBeEnabled();
});

test("APP-45 a guest is reminded from the page of the waiver, without a dialog", async () => {
  const { requests } = await openUnsigned({ "POST /rest/v1/rpc/send_reminders": { body: 1 } });

  await click("Remind");

  expect(await screen.findByText("1 reminder is queued.")).toBeVisible();
  expect(bodyOf(requests, "send_reminders")).toEqual({ session_ids: [pendingEntry.id] });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test.each([{ expires_at: "2026-03-04T12:00:00Z" }, { recipient_email: "" }])(
  "APP-45 a waiver with %j has no button that reminds its guest",
  async (fields) => {
    await openUnsigned({ "GET /rest/v1/sent_waivers": { body: [] } }, fields);

    expect(screen.getByRole("button", { name: "Cancel waiver" })).toBeEnabled();
    expect(screen.queryByRole("button", { name: "Remind" })).toBeNull();
  },
);

test("a waiver is cancelled after a confirmation with a reason", async () => {
  const { requests } = await openUnsigned({ "POST /rest/v1/rpc/cancel_waiver": { status: 204 } });

  await click("Cancel waiver");
  const confirmation = await screen.findByRole("dialog", { name: "Cancel this waiver?" });
  expect(confirmation).toHaveTextContent("Ana Ortiz can no longer sign it");
  expect(confirmation).toHaveTextContent("You cannot undo this");
  await click("Cancel waiver");
  expect(screen.getByRole("alert")).toHaveTextContent("Please enter a reason.");
  expect(bodyOf(requests, "cancel_waiver")).toBeUndefined();
  await userEvent.type(screen.getByLabelText(/^Reason/), " The trip was moved. ");
  await click("Cancel waiver");

  expect(await screen.findByText("Waiver cancelled")).toBeVisible();
  expect(bodyOf(requests, "cancel_waiver")).toEqual({
    session_id: pendingEntry.id,
    reason: "The trip was moved.",
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("heading", { name: "Ana Ortiz" })).toBeVisible();
});

test("a refused cancellation shows the reason, and the waiver can be kept", async () => {
  await openUnsigned({ "POST /rest/v1/rpc/cancel_waiver": { status: 409, body: REFUSAL } });

  await click("Cancel waiver");
  await userEvent.type(await screen.findByLabelText(/^Reason/), "Moved");
  await click("Cancel waiver");
  expect(await screen.findByRole("alert")).toHaveTextContent("This waiver has been signed in the meantime.");
  await click("Keep it");

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("heading", { name: "Ana Ortiz" })).toBeVisible();
});

test("a corrected waiver is sent again with its new link, which is then shown", async () => {
  const newId = "cccccccc-0000-4000-8000-000000000003";
  const firstEmail = {
    recipient: "ana@example.com",
    subject: "Please sign",
    body: `Hello Ana Ortiz,\n\nSee you soon.\n\nhttps://cairn.example/waivers/sign/session/${pendingEntry.id}`,
  };
  const { requests, router } = await openUnsigned({
    // The query with a limit loads the email to send again, and the other one the history.
    "GET /rest/v1/emails": ({ query }) => ({ body: query.has("limit") ? [firstEmail] : [] }),
    "POST /rest/v1/rpc/correct_recipient": { body: newId },
    "POST /functions/v1/send-email": { body: { id: "m", status: "delivered" } },
  });

  await click("Correct name or email");
  const email = await screen.findByLabelText(/Recipient Email/);
  await userEvent.clear(email);
  await userEvent.type(email, "anna@example.com");
  await userEvent.clear(screen.getByLabelText(/Recipient Name/));
  await userEvent.type(screen.getByLabelText(/Recipient Name/), "Anna Ortiz");
  await click("Correct and send");

  expect(await screen.findByText("Waiver Sent Successfully")).toBeVisible();
  expect(bodyOf(requests, "correct_recipient")).toEqual({
    session_id: pendingEntry.id,
    name: "Anna Ortiz",
    email: "anna@example.com",
  });
  expect(bodyOf(requests, "send-email")).toEqual({
    to: "anna@example.com",
    subject: "Please sign",
    body: `Hi Anna,\n\nSee you soon.\n\nhttps://cairn.example/waivers/sign/session/${newId}`,
    sessionId: newId,
    attachmentType: "link",
  });
  await waitFor(() => expect(router.state.location.pathname).toBe(`${PATH}/${newId}`));
});

test("a cancelled waiver has no buttons that change it", async () => {
  await openUnsigned({}, { status: "cancelled" });

  expect(screen.getByText("Cancelled")).toBeVisible();
  expect(
    screen.queryByRole("button", { name: /Send again|Remind|Copy link|Correct|Cancel waiver/ }),
  ).toBeNull();
  expect(screen.queryByText("Waiver Pending")).toBeNull();
});

test("if the history cannot be loaded, a message says so and the buttons still work", async () => {
  await openUnsigned({ "GET /rest/v1/waiver_events": { status: 404, body: { code: "x", message: "no" } } });

  expect(await screen.findByText("The history could not be loaded.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Cancel waiver" })).toBeEnabled();
});

test("a signed waiver is revoked after a confirmation with a reason", async () => {
  const requests = await openSigned({ "POST /rest/v1/rpc/revoke_waiver": { status: 204 } });

  await click("Revoke");
  const confirmation = await screen.findByRole("dialog", { name: "Revoke this waiver?" });
  expect(confirmation).toHaveTextContent("stays readable and is marked as revoked. You cannot undo this.");
  expect(screen.getByRole("radio", { name: "A newer waiver replaces it" })).toBeDisabled();
  await userEvent.type(screen.getByLabelText(/^Reason/), "Wrong person");
  await click("Revoke waiver");

  expect(await screen.findByText("Waiver revoked")).toBeVisible();
  expect(bodyOf(requests, "revoke_waiver")).toEqual({ waiver_id: SIGNED_WAIVER.id, reason: "Wrong person" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a signed waiver is superseded by a newer one of the same guest", async () => {
  const newer = { id: "w2", template_name: "River day", signed_at: "2026-03-05T12:00:00Z" };
  const requests = await openSigned({
    "GET /rest/v1/signed_waivers": ({ query }) => ({
      body: query.has("signer_email") ? [newer] : [SIGNED_WAIVER],
    }),
    "POST /rest/v1/rpc/revoke_waiver": { status: 204 },
  });

  await click("Revoke");
  const choice = await screen.findByRole("radio", { name: "A newer waiver replaces it" });
  await waitFor(() => expect(choice).toBeEnabled());
  await userEvent.click(choice);
  expect(screen.getByLabelText("Newer waiver")).toHaveValue("w2");
  await userEvent.type(screen.getByLabelText(/^Reason/), "Signed again");
  await click("Revoke waiver");

  await screen.findByText("Waiver revoked");
  expect(bodyOf(requests, "revoke_waiver")).toEqual({
    waiver_id: SIGNED_WAIVER.id,
    reason: "Signed again",
    superseded_by: "w2",
  });
});

test("a revoked waiver says when and why, and cannot be revoked again", async () => {
  const revoked = { ...SIGNED_WAIVER, revoked_at: "2026-03-05T12:00:00Z", revoke_reason: "Wrong person" };
  await openSigned({ "GET /rest/v1/signed_waivers": { body: [revoked] } });

  expect(document.body).toHaveTextContent(/Revoked\s*on March 5, 2026 at .*: Wrong person/);
  expect(screen.getByRole("region", { name: "Waiver content" })).toHaveTextContent("I, Gil Moreau, agree.");
  expect(screen.queryByRole("button", { name: "Revoke" })).toBeNull();
});
