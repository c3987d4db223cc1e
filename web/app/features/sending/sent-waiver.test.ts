import { expect, test } from "vitest";
import { toCachedRecord } from "./cached-record";
import { sentWaiverState, emailToSendAgain, canSendAgain, readdressed, type SentWaiver } from "./sent-waiver";

const NOW = new Date("2026-03-04T12:00:00Z");
const sentWaiver: SentWaiver = {
  id: "s1",
  session_id: "5e551011-0000-4000-8000-000000000001",
  template_id: "tpl-1",
  template_name: "River day",
  template_content: "I, [PARTICIPANT NAME], agree.",
  recipient_name: "Gil Moreau",
  recipient_email: "gil@example.com",
  status: "pending",
  sent_as_pdf: false,
  email_status: "delivered",
  email_message_id: "<1@mail.example>",
  email_error: null,
  recipient_phone: null,
  text_status: null,
  text_error: null,
  sent_at: "2026-03-04T11:59:00Z",
  session: { status: "pending", expires_at: "2026-04-03T12:00:00Z" },
};

test("ENT-13 the browser caches twelve fields of a sent waiver", () => {
  expect(toCachedRecord(sentWaiver)).toEqual({
    id: "s1",
    templateId: "tpl-1",
    templateName: "River day",
    recipientName: "Gil Moreau",
    recipientEmail: "gil@example.com",
    sentAt: "2026-03-04T11:59:00Z",
    status: "pending",
    sentAsPdf: false,
    emailStatus: "delivered",
    emailMessageId: "<1@mail.example>",
    templateContent: "I, [PARTICIPANT NAME], agree.",
    sessionId: "5e551011-0000-4000-8000-000000000001",
  });
});

test.each([
  [{}, "delivered", true],
  [{ email_status: "failed" }, "failed", true],
  [{ email_status: "kept" }, "kept", true],
  [{ email_status: "sending" }, "sending", false],
  [{ email_status: "sending", sent_at: "2026-03-04T11:00:00Z" }, "notMailed", true],
  [{ session: { status: "signed", expires_at: null } }, "signed", false],
  [{ session: { status: "pending", expires_at: "2026-03-04T11:00:00Z" } }, "expired", true],
  [{ session: { status: "cancelled", expires_at: "2026-03-04T11:00:00Z" } }, "cancelled", false],
  [{ session: null }, "delivered", true],
] as const)("a sent waiver with %o is %s and can be sent again: %s", (fields, state, isAllowed) => {
  const waiver: SentWaiver = { ...sentWaiver, ...fields };
  expect(sentWaiverState(waiver, NOW)).toBe(state);
  expect(canSendAgain(waiver, NOW)).toBe(isAllowed);
});

test("sending again repeats the first email, or composes a new email if there was none", () => {
  const firstEmail = { to: "gil@example.com", subject: "Please sign", body: "Hello, with a message" };
  expect(emailToSendAgain(sentWaiver, firstEmail, "https://x")).toEqual(firstEmail);
  expect(emailToSendAgain(sentWaiver, undefined, "https://x/abc")).toMatchObject({
    to: "gil@example.com",
    subject: "Please sign: River day Waiver",
    body: expect.stringMatching(/^Hi Gil,[^]*https:\/\/x\/abc/),
  });
});

const rest = (id: string) => `\n\nBring a towel. Hi Gill,\n\nhttps://x/session/${id}\n\nNo account needed.`;

test.each([
  ["Hi Gill,", "Hi Anna,"],
  ["Hello Gill $1,", "Hi Anna,"],
  ["Good morning,", "Good morning,"],
])(
  "an email that begins with %s keeps its message when it gets a new link, and then begins with %s",
  (before, after) => {
    const email = { to: "gill@example.com", subject: "Please sign", body: before + rest("old") };
    const old = { sessionId: "old", name: "Gill $1", email: "gill@example.com" };
    const corrected = { sessionId: "new", name: "Anna $& Moreau", email: "gil@example.com" };

    expect(readdressed(email, old, corrected)).toEqual({
      to: "gil@example.com",
      subject: "Please sign",
      body: after + rest("new"),
    });
  },
);
