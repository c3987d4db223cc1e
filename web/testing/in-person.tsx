/** Helpers for tests in which a guest signs in person on Rosa's device. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as z from "~/lib/zod";
import Templates from "~/routes/company/templates";
import { showToRosa } from "./company";
import type { RecordedRequest } from "./server";

export const SESSION_ID = "5e551011-0000-4000-8000-000000000001";
export const template = {
  id: "template-medical-emergency-authorization",
  company_id: null,
  name: "Medical Emergency Authorization",
  description: "",
  content: "I, [PARTICIPANT NAME], go with [COMPANY NAME].",
  version: 1,
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  archived_at: null,
};
export const session = {
  id: SESSION_ID,
  status: "pending",
  template_id: template.id,
  template_name: template.name,
  template_content: template.content,
  company_name: "Rio Rafting",
  recipient_name: "Gil Moreau",
  recipient_email: "gil@example.com",
  expires_at: "2100-01-01T00:00:00Z",
};
export const consent = {
  version: "2026-11",
  language: "en",
  text: "I agree to sign this waiver electronically.",
};

/** The page queries one table for its default sessions and, by id, for the session to sign. */
export const respondWith = (sessions: object[]) => (request: RecordedRequest) => ({
  body: request.query.has("id") ? sessions : [{ template_id: template.id }],
});
export const responses = {
  "GET /rest/v1/waiver_templates": { body: [template] },
  "GET /rest/v1/waiver_sessions": respondWith([session]),
  "POST /rest/v1/waiver_sessions": { status: 201, body: { id: SESSION_ID } },
  "GET /rest/v1/consent_texts": { body: [consent] },
  "GET /rest/v1/sent_waivers": { body: [] },
  "POST /rest/v1/rpc/note_waiver_view": { status: 204 },
};

/** The server echoes the id of the stored waiver. */
export const echoId = ({ body }: RecordedRequest) => ({ status: 201, body: { id: idIn(body) } });

export const idIn = (body: unknown) => z.object({ id: z.string() }).parse(body).id;

export const openInPersonPage = (id = template.id) =>
  showToRosa(<Templates />, `/dashboard/waivers?sign=${id}`);

export const creations = (requests: RecordedRequest[]) =>
  requests
    .filter(({ method, path }) => method === "POST" && path === "/rest/v1/waiver_sessions")
    .map(({ body }) => body);

/** What the guest does on the device. */
export const guest = { start, fillIn, sign };

async function start() {
  await userEvent.click(await screen.findByRole("button", { name: "Start signing" }));
}

async function fillIn() {
  await start();
  await userEvent.type(await screen.findByLabelText("Your Name"), "Gil Moreau");
  await userEvent.type(screen.getByLabelText("Your Email"), "gil@example.com");
}

async function sign() {
  if (!screen.queryByLabelText("Type")) await start();
  await userEvent.click(await screen.findByLabelText("Type"));
  await userEvent.type(screen.getByLabelText("Type your name as your signature"), "Gil");
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(screen.getByRole("button", { name: "Sign Waiver" }));
}
