import { expect, test } from "vitest";
import { isPhoneNumber } from "./phone";
import { textCountSentence, parseRecipientList, summaryToast, countTexts } from "./recipient-list";

test.each(["+12125550123", "+1 (212) 555-0123", "0041 79 123 45 67", " +41.79.123.45.67 "])(
  "%j is a phone number",
  (text) => {
    expect(isPhoneNumber(text)).toBe(true);
  },
);

test.each(["079 123 45 67", "+41 79", "call me", "", "+", "+1234567890123456789"])(
  "%j has no country code or is not a phone number",
  (text) => {
    expect(isPhoneNumber(text)).toBe(false);
  },
);

const gil = { firstName: "Gil", lastName: "Moreau", email: "gil@example.com" };

test.each([
  ["Gil Moreau, gil@example.com, +41 79 123 45 67", "+41 79 123 45 67"],
  ["Gil;Moreau;+41791234567;gil@example.com", "+41791234567"],
  ["+1 (212) 555-0123\tGil\tMoreau\tgil@example.com", "+1 (212) 555-0123"],
])("PLAN-09 %j is parsed as Gil with a phone number", (line, phone) => {
  expect(parseRecipientList(line, true)).toEqual({ recipients: [{ ...gil, phone }], invalidLines: [] });
});

test("PLAN-09 a phone number is optional, and a phone number without a country code is rejected", () => {
  expect(parseRecipientList("Gil Moreau, gil@example.com", true).recipients).toEqual([gil]);
  expect(parseRecipientList("Gil Moreau, gil@example.com, 079 123 45 67", true)).toEqual({
    recipients: [],
    invalidLines: ["Gil Moreau, gil@example.com, 079 123 45 67"],
  });
});

test("text messages are counted", () => {
  expect(countTexts([gil, { ...gil, phone: "+12125550123" }])).toBe(1);
  expect(textCountSentence(1)).toBe("1 text message will be sent in addition to the emails");
  expect(textCountSentence(2)).toBe("2 text messages will be sent in addition to the emails");
});

test("one failed text message is reported in the summary", () => {
  const failedText = { status: "failed", error: "No such number" } as const;
  expect(summaryToast([{ result: "sent" }, { result: "sent", text: failedText }])).toMatchObject({
    title: "1 of 2 people did not get the text message",
    destructive: true,
  });
});
