import { expect, test } from "vitest";
import { listProblem, parseRecipientList, summaryToast } from "./recipient-list";

const gil = { firstName: "Gil", lastName: "Moreau", email: "gil@example.com" };

test.each([
  "Gil Moreau, gil@example.com",
  "Gil Moreau <gil@example.com>",
  '"Gil Moreau" <gil@example.com>;',
  "Gil\tMoreau\tgil@example.com",
  "Gil;Moreau;gil@example.com",
  "gil@example.com Gil Moreau",
])("%j is parsed as Gil Moreau", (line) => {
  expect(parseRecipientList(line)).toEqual({ recipients: [gil], invalidLines: [] });
});

test("names may have several parts, blank lines are skipped, and duplicates are removed", () => {
  const { recipients, invalidLines } = parseRecipientList(
    "Gil Moreau, gil@example.com\r\n\r\nMaría de la Cruz, maria@example.com\nGil Moreau, GIL@example.com",
  );
  expect(recipients.map(({ firstName, lastName }) => `${firstName}|${lastName}`)).toEqual([
    "Gil|Moreau",
    "María|de la Cruz",
  ]);
  expect(invalidLines).toEqual([]);
});

test.each(["Gil, gil@example.com", "gil@example.com", "Gil Moreau", "Gil Moreau, gil at example"])(
  "%j is not a complete recipient",
  (line) => {
    expect(parseRecipientList(line)).toEqual({ recipients: [], invalidLines: [line] });
  },
);

test.each([
  [["sent", "sent"], "Sent to 2 people"],
  [["sent"], "Sent to 1 person"],
  [["sent", "sending"], "On its way to 2 people"],
  [["kept", "kept"], "Ready for 2 people, not mailed"],
] as const)("%j is summarised as %j", (results, title) => {
  expect(summaryToast(results.map((result) => ({ result }))).title).toBe(title);
});

test("one failure is reported in the summary", () => {
  expect(summaryToast([{ result: "sent" }, { result: "failed", reason: "Mailbox full" }])).toMatchObject({
    title: "1 of 2 people could not be reached",
    destructive: true,
  });
});

test("a list has between 1 and 100 people", () => {
  expect(listProblem(0, [], false)).toBe("Please name at least one person.");
  expect(listProblem(1, [], false)).toBeUndefined();
  expect(listProblem(100, [], false)).toBeUndefined();
  expect(listProblem(101, [], false)).toBe("Please send to at most 100 people at once.");
});
