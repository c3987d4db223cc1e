import { expect, test } from "vitest";
import { readList, summary } from "./several";

const gil = { firstName: "Gil", lastName: "Moreau", email: "gil@example.com" };

test.each([
  "Gil Moreau, gil@example.com",
  "Gil Moreau <gil@example.com>",
  '"Gil Moreau" <gil@example.com>;',
  "Gil\tMoreau\tgil@example.com",
  "Gil;Moreau;gil@example.com",
  "gil@example.com Gil Moreau",
])("%j is Gil", (line) => {
  expect(readList(line)).toEqual({ recipients: [gil], wrong: [] });
});

test("a name may have many parts, a list blank lines, and nobody is asked twice", () => {
  const { recipients, wrong } = readList(
    "Gil Moreau, gil@example.com\r\n\r\nMaría de la Cruz, maria@example.com\nGil Moreau, GIL@example.com",
  );
  expect(recipients.map(({ firstName, lastName }) => `${firstName}|${lastName}`)).toEqual([
    "Gil|Moreau",
    "María|de la Cruz",
  ]);
  expect(wrong).toEqual([]);
});

test.each(["Gil, gil@example.com", "gil@example.com", "Gil Moreau", "Gil Moreau, gil at example"])(
  "%j is not enough to send to",
  (line) => {
    expect(readList(line)).toEqual({ recipients: [], wrong: [line] });
  },
);

test.each([
  [["sent", "sent"], "Sent to 2 people"],
  [["sent"], "Sent to 1 person"],
  [["sent", "sending"], "On its way to 2 people"],
  [["kept", "kept"], "Ready for 2 people, not mailed"],
] as const)("%j is summed up as %j", (results, title) => {
  expect(summary(results.map((result) => ({ result }))).title).toBe(title);
});

test("a failure among many is not called a success", () => {
  expect(summary([{ result: "sent" }, { result: "failed", reason: "Mailbox full" }])).toMatchObject({
    title: "1 of 2 people could not be reached",
    destructive: true,
  });
});
