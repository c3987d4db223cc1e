import { expect, test } from "vitest";
import { timelineOf } from "./timeline";

const event = (id: number, title: string, details: object = {}) => ({
  event_id: id,
  at: `2026-03-04T12:0${id}:00Z`,
  name: "session.opened",
  title,
  details: { ...details },
});
const email = {
  id: "e1",
  kind: "message",
  status: "delivered",
  recipient: "gil@example.com",
  created_at: "2026-03-04T12:01:20Z",
  sent_at: "2026-03-04T12:01:30Z",
  error: null,
} as const;

test("the timeline contains events, and emails without an event, in the order of their times", () => {
  const entries = timelineOf(
    [event(1, "Waiver created"), event(2, "Email written", { email_id: "e2" }), event(3, "Signed")],
    [email, { ...email, id: "e2" }],
  );

  expect(entries.map(({ title }) => title)).toEqual([
    "Waiver created",
    "Email accepted by the mail server",
    "Email written",
    "Signed",
  ]);
  expect(entries[1]?.details).toEqual(["To gil@example.com"]);
});

test.each([
  ["a cancellation", { reason: "Moved", by_name: "Rosa" }, ["By Rosa", "Reason: Moved"]],
  ["a correction, in the new session", { replaces: "s0" }, ["This link replaces an earlier one."]],
  [
    "a correction, in the old session",
    { replaced_by: "s2" },
    ["This link no longer works. The guest got a new one."],
  ],
  [
    "an invitation, in the guest's session",
    { invites: "s2" },
    ["A guest added an adult, who signs with a link of their own."],
  ],
  [
    "an invitation, in the adult's session",
    { invited_by: "s1" },
    ["A guest added this adult to another waiver."],
  ],
  [
    "a revocation",
    { reason: "Wrong person", ip: "203.0.113.7" },
    ["Reason: Wrong person", "IP address 203.0.113.7"],
  ],
  [
    "an opening",
    { scroll_depth: 0, language: "pt-BR" },
    ["0 % of the text was on screen", "Language of the page: pt-BR"],
  ],
  ["a signature", { signer_name: "Gil" }, ["By Gil"]],
  ["an email", { recipient: "gil@example.com" }, ["To gil@example.com"]],
  ["a download", { access: "link in an email" }, ["With the link in an email"]],
  ["a download with a kind of access that this version does not know", { access: "robot" }, ["As robot"]],
])("%s with %o has the details %o", (_, fields, details) => {
  expect(timelineOf([event(1, "A title", fields)], [])).toMatchObject([
    { id: "event-1", at: "2026-03-04T12:01:00Z", kind: "session.opened", title: "A title", details },
  ]);
});

test("an email that was not sent says why", () => {
  const [entry] = timelineOf(
    [],
    [{ ...email, kind: "reminder", status: "cancelled", error: "Not sent: signed." }],
  );

  expect(entry).toMatchObject({
    title: "Reminder not sent",
    details: ["To gil@example.com", "Not sent: signed."],
  });
});

test.each([
  ["Email written", { email_kind: "message" }, "Email written"],
  ["Email written", { email_kind: "reminder" }, "Reminder written"],
  ["Email came back", { email_kind: "reminder" }, "Reminder came back"],
  [
    "Email accepted by the mail server",
    { email_kind: "copy" },
    "Copy for the signer accepted by the mail server",
  ],
  ["Text message not sent", { text_kind: "reminder" }, "Reminder by text message not sent"],
])("the title %s with %o is shown as %s", (title, details, shown) => {
  expect(timelineOf([event(1, title, details)], [])[0]?.title).toBe(shown);
});

test("a corrected waiver refers to the new one, and the new one to the earlier one", () => {
  const entries = timelineOf([event(1, "x", { replaced_by: "s2" }), event(2, "x", { replaces: "s1" })], []);

  expect(entries.map(({ related }) => related)).toEqual([
    { label: "Open the new waiver", sessionId: "s2" },
    { label: "Open the earlier waiver", sessionId: "s1" },
  ]);
});

test("FORM-46 the waiver of a guest refers to that of the adult whom they invited, and back", () => {
  const entries = timelineOf([event(1, "x", { invites: "s2" }), event(2, "x", { invited_by: "s1" })], []);

  expect(entries.map(({ related }) => related)).toEqual([
    { label: "Open the waiver of the adult", sessionId: "s2" },
    { label: "Open the other waiver", sessionId: "s1" },
  ]);
});
