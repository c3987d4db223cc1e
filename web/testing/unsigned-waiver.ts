import { SENT_WAIVER } from "./company";
import { pendingEntry } from "./directory-entries";

export const unsignedSession = {
  id: pendingEntry.id,
  company_id: "c1",
  template_id: "tpl-1",
  template_name: "River day",
  template_content: "I agree.",
  recipient_name: "Ana Ortiz",
  recipient_email: "ana@example.com",
  status: "pending",
  created_at: "2026-03-03T12:00:00Z",
  expires_at: "2100-01-01T00:00:00Z",
};

const sending = {
  ...SENT_WAIVER,
  session_id: unsignedSession.id,
  recipient_name: "Ana Ortiz",
  recipient_email: "ana@example.com",
  email_status: "delivered",
  email_error: null,
};

/** Returns the responses for a waiver that is not signed, with its history. `fields` change its session. */
export function unsignedResponses(fields: object = {}) {
  return {
    "GET /rest/v1/signed_waivers": { body: [] },
    "GET /rest/v1/waiver_sessions": { body: [{ ...unsignedSession, ...fields }] },
    "GET /rest/v1/sent_waivers": { body: [sending] },
    "GET /rest/v1/emails": { body: [] },
    "GET /rest/v1/waiver_events": {
      body: [
        {
          event_id: 1,
          at: "2026-03-03T12:00:00Z",
          name: "session.opened",
          title: "Waiver created",
          details: {},
        },
      ],
    },
  };
}
