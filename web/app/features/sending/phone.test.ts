import { expect, test } from "vitest";
import { isNumber } from "./phone";
import { inMessages, readList, summary, textsAmong } from "./several";

test.each(["+12125550123", "+1 (212) 555-0123", "0041 79 123 45 67", " +41.79.123.45.67 "])(
  "%j is a number",
  (written) => {
    expect(isNumber(written)).toBe(true);
  },
);

test.each(["079 123 45 67", "+41 79", "call me", "", "+", "+1234567890123456789"])(
  "%j names no country, or is none",
  (written) => {
    expect(isNumber(written)).toBe(false);
  },
);

const gil = { firstName: "Gil", lastName: "Moreau", email: "gil@example.com" };

test.each([
  ["Gil Moreau, gil@example.com, +41 79 123 45 67", "+41 79 123 45 67"],
  ["Gil;Moreau;+41791234567;gil@example.com", "+41791234567"],
  ["+1 (212) 555-0123\tGil\tMoreau\tgil@example.com", "+1 (212) 555-0123"],
])("PLAN-09 %j is Gil with a number", (line, phone) => {
  expect(readList(line, true)).toEqual({ recipients: [{ ...gil, phone }], wrong: [] });
});

test("PLAN-09 a number is optional, and one without its country is not sent to", () => {
  expect(readList("Gil Moreau, gil@example.com", true).recipients).toEqual([gil]);
  expect(readList("Gil Moreau, gil@example.com, 079 123 45 67", true)).toEqual({
    recipients: [],
    wrong: ["Gil Moreau, gil@example.com, 079 123 45 67"],
  });
});

test("what text messages there would be is counted and said", () => {
  expect(textsAmong([gil, { ...gil, phone: "+12125550123" }])).toBe(1);
  expect(inMessages(1)).toBe("1 text message goes out beside the emails");
  expect(inMessages(2)).toBe("2 text messages go out beside the emails");
});

test("a text message that failed among many is not hidden", () => {
  const failed = { status: "failed", error: "No such number" } as const;
  expect(summary([{ result: "sent" }, { result: "sent", text: failed }])).toMatchObject({
    title: "1 of 2 people did not get the text message",
    destructive: true,
  });
});
