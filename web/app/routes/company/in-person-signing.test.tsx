import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { PICTURE, stubCanvas } from "~/../testing/canvas";
import {
  creations,
  echoId,
  guest,
  idIn,
  openInPersonPage,
  respondWith,
  responses,
  session,
  SESSION_ID,
  template,
} from "~/../testing/in-person";
import { deferredResponse, serve } from "~/../testing/server";

beforeEach(() => void stubCanvas());

test("TPL-13 TPL-14 the page shows the waiver with the names filled in and thanks for the signature", async () => {
  const { wait, respond } = deferredResponse();
  const requests = serve({
    ...responses,
    "POST /rest/v1/signed_waivers": (request) => ({ ...echoId(request), wait }),
  });
  const router = openInPersonPage(SESSION_ID);

  expect(await screen.findByRole("dialog", { name: "Sign Waiver" })).toBeVisible();
  expect(await screen.findByText(/Session 5e551011$/)).toBeVisible();
  await guest.start();
  expect(await screen.findByLabelText("Your Name")).toHaveValue("Gil Moreau");
  expect(screen.getByLabelText("Your Email")).toHaveValue("gil@example.com");
  const text = screen.getByRole("region", { name: "Waiver text" });
  expect(text).toHaveTextContent("I, Gil Moreau, go with Rio Rafting.");
  expect(text).toHaveClass("overflow-y-auto");
  expect(screen.getByRole("img", { name: /^Signature pad/ })).toHaveStyle({ aspectRatio: "600 / 200" });
  await guest.sign();
  expect(await screen.findByRole("button", { name: "Signing..." })).toBeVisible();
  respond();

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  // The next guest gets a new session of the same template.
  await userEvent.click(screen.getByRole("button", { name: "Next guest" }));
  expect(router.state.location.search).toBe(`?sign=${template.id}`);
  expect(requests.filter(({ method, path }) => method === "POST" && path.endsWith("_sessions"))).toEqual([]);
  expect(requests.find(({ path }) => path === "/rest/v1/signed_waivers")?.body).toMatchObject({
    session_id: SESSION_ID,
    signer_name: "Gil Moreau",
    signer_email: "gil@example.com",
    signature: PICTURE,
    content: "I, Gil Moreau, go with Rio Rafting.",
    consent_version: "2026-11",
  });
});

test.each([
  ["pending", 1],
  ["signed", 0],
])(
  "ERR-26 if the session is %s after signing, the dialog logs %i warnings and shows none",
  async (status, warningCount) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const requests = serve({
      ...responses,
      "GET /rest/v1/waiver_sessions": (request) =>
        request.query.get("select") === "status" ? { body: [{ status }] } : respondWith([session])(request),
      "POST /rest/v1/signed_waivers": echoId,
    });
    openInPersonPage(SESSION_ID);
    await guest.sign();

    expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
    await waitFor(() => expect(requests.some(({ query }) => query.get("select") === "status")).toBe(true));
    const text = "Warning: Waiver was signed but we couldn't update the session record.";
    await waitFor(() => expect(warn.mock.calls).toEqual(Array.from({ length: warningCount }, () => [text])));
    expect(screen.queryByText(text)).toBeNull();
  },
);

test("TPL-24 TPL-25 a session id in the URL opens that session, and closing the dialog removes the id from the URL", async () => {
  const requests = serve(responses);
  const router = openInPersonPage(SESSION_ID);
  await screen.findByRole("button", { name: "Start signing" });

  await userEvent.click(screen.getByRole("button", { name: "Close" }));

  expect(screen.queryByRole("dialog")).toBeNull();
  expect(router.state.location.search).toBe("");
  expect(requests.some(({ query }) => query.get("id") === `eq.${SESSION_ID}`)).toBe(true);
});

test("TPL-26 TPL-27 APP-35 a template id in the URL creates a pending session when the guest signs, and not before", async () => {
  const requests = serve({ ...responses, "POST /rest/v1/signed_waivers": echoId });
  openInPersonPage(template.id);
  const shownId = (await screen.findByText(/Session \w{8}$/)).textContent?.slice(-8);
  await guest.fillIn();
  expect(creations(requests)).toEqual([]);

  await guest.sign();

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  const [creation] = creations(requests);
  expect(creation).toEqual({
    id: expect.stringMatching(new RegExp(`^${shownId}`)),
    template_id: template.id,
    status: "pending",
    template_content: template.content,
  });
  const signature = requests.find(({ path }) => path === "/rest/v1/signed_waivers");
  expect(signature?.body).toMatchObject({ session_id: idIn(creation) });
  expect(signature?.body).toMatchObject({ content: "I, Gil Moreau, go with Rio Rafting." });
});

async function expectError(message: string) {
  expect(await screen.findByText(message, {}, { timeout: 4000 })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

test("ERR-12 an unknown session shows an error", async () => {
  serve({ ...responses, "GET /rest/v1/waiver_sessions": respondWith([]) });
  openInPersonPage(SESSION_ID);
  await expectError("Could not find the waiver session.");
});

test("a malformed session id shows an error", async () => {
  const invalidId = { status: 400, body: { code: "22P02", message: "invalid input syntax for type uuid" } };
  serve({
    ...responses,
    "GET /rest/v1/waiver_sessions": (request) =>
      request.query.has("id") ? invalidId : { body: [{ template_id: template.id }] },
  });
  openInPersonPage(`no-session-${"x".repeat(30)}`);
  await expectError("Could not find the waiver session.");
});

test("ERR-13 a session without text shows an error", async () => {
  serve({
    ...responses,
    "GET /rest/v1/waiver_sessions": respondWith([{ ...session, template_content: "" }]),
  });
  openInPersonPage(SESSION_ID);
  await expectError("Could not find the waiver template for this session.");
});

test("an unknown template shows an error", async () => {
  serve(responses);
  openInPersonPage("tpl-unknown");
  await expectError("Could not find the waiver template for this session.");
});

test("opening the default session of a template signs a new session", async () => {
  const defaultSession = {
    ...session,
    id: "5e551011-0000-4000-8000-00000000000d",
    status: "template_default",
  };
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_sessions": respondWith([defaultSession]),
    "POST /rest/v1/signed_waivers": echoId,
  });
  openInPersonPage(defaultSession.id);
  await guest.fillIn();
  await guest.sign();

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  const [creation] = creations(requests);
  expect(idIn(creation)).not.toBe(defaultSession.id);
});

test("ERR-14 a session that could not be loaded shows an error", async () => {
  serve({
    ...responses,
    "GET /rest/v1/waiver_sessions": (request) =>
      request.query.has("id")
        ? { status: 500, body: { code: "x", message: "no" } }
        : { body: [{ template_id: template.id }] },
  });
  openInPersonPage(SESSION_ID);
  await expectError("An error occurred while loading the waiver session.");
});

test("ERR-17 a signature that could not be stored stays on the pad and is retried with the same id", async () => {
  const errorResponse = { status: 409, body: { code: "PT409", message: "Not today." } };
  const requests = serve({ ...responses, "POST /rest/v1/signed_waivers": errorResponse });
  openInPersonPage(SESSION_ID);
  await guest.sign();

  expect(await screen.findByText("Failed to store signed waiver: Not today.")).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Sign Waiver" }));

  const attempts = () =>
    requests.filter(({ path }) => path === "/rest/v1/signed_waivers").map(({ body }) => body);
  await waitFor(() => expect(attempts()).toHaveLength(2));
  expect(new Set(attempts().map((body) => JSON.stringify(body, ["id", "signature"]))).size).toBe(1);
});

test("ERR-16 a response that does not echo the id counts as a failure", async () => {
  serve({ ...responses, "POST /rest/v1/signed_waivers": { status: 200, body: { blocked: true } } });
  openInPersonPage(SESSION_ID);
  await guest.sign();

  expect(await screen.findByText("An unexpected error occurred. Please try again.")).toBeVisible();
  expect(screen.getByRole("dialog", { name: "Sign Waiver" })).toBeVisible();
});

test("starting over asks for confirmation if a signature would be lost", async () => {
  serve(responses);
  openInPersonPage(SESSION_ID);
  await guest.start();
  await userEvent.click(await screen.findByLabelText("Type"));
  await userEvent.type(screen.getByLabelText("Type your name as your signature"), "Gil");

  await userEvent.click(screen.getByRole("button", { name: "Start over" }));
  await userEvent.click(await screen.findByRole("button", { name: "Go on signing" }));
  expect(screen.getByLabelText("Type your name as your signature")).toHaveValue("Gil");
  await userEvent.click(screen.getByRole("button", { name: "Start over" }));
  const confirmation = await screen.findByRole("dialog", { name: "Start over?" });
  await userEvent.click(within(confirmation).getByRole("button", { name: "Start over" }));

  expect(await screen.findByRole("button", { name: "Start signing" })).toBeVisible();
});

test("an expired session is reported and cannot be signed", async () => {
  serve({
    ...responses,
    "GET /rest/v1/waiver_sessions": respondWith([{ ...session, expires_at: "2026-01-01T00:00:00Z" }]),
  });
  openInPersonPage(SESSION_ID);
  await guest.start();

  expect(await screen.findByText("Waiver Expired")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Sign Waiver" })).toBeNull();
});
