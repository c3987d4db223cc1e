import { expect, test } from "vitest";
import {
  isComplete,
  composeEmail,
  parseSendResponse,
  outcomeToast,
  parseOutcome,
  failureReason,
} from "./model";

const gil = { firstName: " Gil ", lastName: "Moreau", email: "gil@example.com", message: "", asPdf: false };
const template = { id: "tpl-1", name: "River day", content: "…" };
const link = "https://cairn.example/waivers/sign/session/abc";

test.each([
  [{}, true],
  [{ firstName: " " }, false],
  [{ lastName: "" }, false],
  [{ email: "  " }, false],
])("a recipient with %o is complete: %s", (fields, expected) => {
  expect(isComplete({ ...gil, ...fields })).toBe(expected);
});

test("MAIL-15 MAIL-16 the email names template and recipient and contains the message and the link", () => {
  const { subject, body } = composeEmail(template, { ...gil, message: "See you at the bridge." }, link);

  expect(subject).toBe("Please sign: River day Waiver");
  expect(body).toMatch(/^Hi Gil,\n\nSee you at the bridge\.\n\n/);
  expect(body).toContain(`\n\n${link}\n\n`);
});

test("an email without a message has no empty paragraph", () => {
  expect(composeEmail(template, gil, link).body).not.toContain("\n\n\n");
});

test.each([
  [{ id: "1", status: "delivered" }, { result: "sent" }],
  [{ id: "1", status: "kept" }, { result: "kept" }],
  [{ id: "1", status: "sending" }, { result: "sending" }],
  [null, { result: "failed", reason: "No response data from email service" }],
])("FN-03 the response %o has the outcome %o", (response, outcome) => {
  expect(parseSendResponse(response)).toEqual(outcome);
});

test.each([
  [422, { error: "No such session" }, "No such session"],
  [
    402,
    { error: { message: "The Basic plan covers 1000 waivers a month." } },
    "The Basic plan covers 1000 waivers a month.",
  ],
  [500, null, "Failed to send email: 500"],
])("FN-03 an error with %i and %o gives the reason: %s", (status, body, reason) => {
  expect(failureReason(status, body)).toBe(reason);
});

test("ERR-28 only a delivered email is called sent, and a failure shows its reason", () => {
  expect(outcomeToast({ result: "sent" })).toEqual({ title: "Waiver Sent Successfully" });
  expect(outcomeToast({ result: "kept" }).title).not.toContain("Sent Successfully");
  expect(outcomeToast({ result: "failed", reason: "Mailbox full" })).toEqual({
    title: "Failed to Send Waiver",
    description: "Error: Mailbox full",
    destructive: true,
  });
});

test("a malformed stored outcome is ignored", () => {
  expect(parseOutcome({ result: "failed", reason: "x" })).toEqual({ result: "failed", reason: "x" });
  expect(parseOutcome({ result: "failed" })).toBeNull();
  expect(parseOutcome("sent")).toBeNull();
});
