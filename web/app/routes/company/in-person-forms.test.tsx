import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { stubCanvas } from "~/../testing/canvas";
import {
  creations,
  echoId,
  guest,
  idIn,
  openInPersonPage,
  responses,
  SESSION_ID,
  template,
} from "~/../testing/in-person";
import { openFakeRealtime } from "~/../testing/realtime";
import { serve } from "~/../testing/server";

beforeEach(() => void stubCanvas());

const FORM = {
  questions: [{ key: "asthma", kind: "yes_no", label: "Do you have asthma?", required: true }],
};
const FAMILY_FORM = { covers: { minors: {} }, questions: [] };

const next = () => userEvent.click(screen.getByRole("button", { name: "Continue" }));

async function signWithAsthma() {
  await guest.fillIn();
  await next();
  await userEvent.click(screen.getByLabelText("Yes"));
  await next();
  expect(screen.getByRole("region", { name: "Waiver text" })).toHaveTextContent("I, Gil Moreau, go with");
  await next();
  await guest.sign();
}

test("FORM-15 a guest fills in a form in person, and the answers are stored with the signature", async () => {
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FORM }] },
    "POST /rest/v1/signed_waivers": echoId,
  });
  openInPersonPage(template.id);
  await signWithAsthma();

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  expect(requests.find(({ path }) => path === "/rest/v1/signed_waivers")?.body).toMatchObject({
    signer_name: "Gil Moreau",
    answers: { asthma: true },
    participants: [],
    guardian: null,
  });
});

test("FORM-15 in person, too, a refused answer is shown next to its question", async () => {
  serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FORM }] },
    "POST /rest/v1/signed_waivers": {
      status: 400,
      body: { code: "answer_invalid", message: "No.", details: { question: "asthma" }, hint: null },
    },
  });
  openInPersonPage(template.id);
  await signWithAsthma();

  const question = await screen.findByRole("group", { name: "Do you have asthma?" });
  expect(question).toHaveAccessibleDescription("Please choose again.");
  expect(within(question).getByLabelText("Yes")).toBeChecked();
});

test("FORM-46 in person, too, an adult gets a link of their own, and the guest signs the session with which it was made", async () => {
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FAMILY_FORM }] },
    "POST /rest/v1/rpc/invite_adult": { body: "a9b0c1d2-0000-4000-8000-000000000001" },
    "POST /functions/v1/text-messages": { body: { offered: false } },
    "POST /functions/v1/send-invitation": { status: 202, body: { status: "sending" } },
    "POST /rest/v1/signed_waivers": echoId,
  });
  openInPersonPage(template.id);
  await guest.fillIn();
  await userEvent.click(screen.getByRole("button", { name: "Add a child" }));
  await userEvent.type(screen.getByLabelText("Full name"), "Nia Moreau");
  fireEvent.change(screen.getByLabelText("Birth date"), { target: { value: "1999-05-01" } });
  await userEvent.click(await screen.findByRole("button", { name: "Make their own link" }));
  const link = within(await screen.findByRole("region", { name: "Link for Nia Moreau" }));
  await userEvent.type(link.getByLabelText("Email of Nia Moreau"), "nia@example.com");
  await userEvent.click(link.getByRole("button", { name: "Send the link" }));
  await link.findByText(/on its way to/);
  await next();
  await next();
  await guest.sign();

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  const body = (path: string) => requests.find((request) => request.path === path)?.body;
  const { id } = Object(body("/rest/v1/waiver_sessions"));
  expect(body("/rest/v1/rpc/invite_adult")).toMatchObject({ session_id: id, name: "Nia Moreau" });
  expect(body("/functions/v1/send-invitation")).toMatchObject({ session_id: id, email: "nia@example.com" });
  expect(body("/rest/v1/signed_waivers")).toMatchObject({ session_id: id, participants: [] });
});

const GUARDIAN_BUTTON = "The parent or guardian is not here";

test("FORM-48 a guardian who is not here gets the link, and the page says when they have signed", async () => {
  const realtime = openFakeRealtime();
  let status = "pending";
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FAMILY_FORM }] },
    "GET /rest/v1/waiver_sessions": () => ({ body: { status } }),
    "POST /functions/v1/text-messages": { body: { offered: true } },
    "POST /functions/v1/send-invitation": { status: 202, body: { status: "sending" } },
  });
  openInPersonPage(template.id);
  await userEvent.click(await screen.findByRole("button", { name: GUARDIAN_BUTTON }));

  const link = within(await screen.findByRole("region", { name: "Link for the parent or guardian" }));
  const [created] = creations(requests);
  const sessionId = idIn(created);
  expect(link.getByRole("img")).toHaveAttribute("src", `/waivers/sign/session/${sessionId}/qr.svg`);
  await userEvent.type(
    await link.findByLabelText("Mobile number of the parent or guardian"),
    "+41791234567{Enter}",
  );
  await link.findByText(/on its way to/);
  expect(requests.find(({ path }) => path === "/functions/v1/send-invitation")?.body).toEqual({
    session_id: sessionId,
    phone: "+41791234567",
  });
  expect(screen.queryByText(/has signed/)).not.toBeInTheDocument();

  status = "signed";
  await waitFor(() => expect(realtime.joins()).not.toHaveLength(0));
  expect(realtime.joins()[0]?.[4]).toMatchObject({
    config: { postgres_changes: [{ table: "signed_waivers", filter: `session_id=eq.${sessionId}` }] },
  });
  realtime.insert(`realtime:signatures of ${sessionId}`, "signed_waivers", { session_id: sessionId });

  expect(await screen.findByText(/^Your parent or guardian has signed/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Next guest" }));
  expect(await screen.findByRole("button", { name: "Start signing" })).toBeVisible();
});

test("FORM-48 the next guest does not wait for the guardian, and a link that could not be created can be requested again", async () => {
  openFakeRealtime();
  let isOffline = true;
  serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FAMILY_FORM }] },
    "GET /rest/v1/waiver_sessions": { body: { status: "pending" } },
    "POST /rest/v1/waiver_sessions": () =>
      isOffline ? { status: 503, body: {} } : { status: 201, body: { id: SESSION_ID } },
    "POST /functions/v1/text-messages": { body: { offered: false } },
  });
  openInPersonPage(template.id);
  await userEvent.click(await screen.findByRole("button", { name: GUARDIAN_BUTTON }));
  isOffline = false;
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await screen.findByRole("region", { name: "Link for the parent or guardian" });
  await userEvent.click(screen.getByRole("button", { name: "Next guest" }));

  expect(await screen.findByRole("button", { name: "Start signing" })).toBeVisible();
});

test("FORM-48 a waiver that covers no minors has no link for a guardian", async () => {
  serve({ ...responses, "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FORM }] } });
  openInPersonPage(template.id);

  expect(await screen.findByRole("button", { name: "Start signing" })).toBeVisible();
  expect(screen.queryByRole("button", { name: GUARDIAN_BUTTON })).not.toBeInTheDocument();
});
