import { expect, test } from "vitest";
import { buildRows, listProblem, summary, type Changes, type Listed } from "./build-rows";
import { guessColumns } from "./columns";
import { parseTable } from "./parse-table";

type Given = {
  edits?: [number, Listed][];
  choices?: [number, "leaveOut" | "sendAnyway"][];
  waiting?: [string, string][];
  withPhoneNumbers?: boolean;
};

function rowsOf(text: string, { edits, choices, waiting, withPhoneNumbers = false }: Given = {}) {
  const { rows } = parseTable(text);
  const columns = guessColumns(
    rows.map(({ cells }) => cells),
    withPhoneNumbers,
  );
  const changes: Changes = { edits: new Map(edits), choices: new Map(choices) };
  const waitingSince = new Map(waiting);
  return buildRows(rows, { columns, changes, withPhoneNumbers, waitingSince, sayWhen: () => "3 days ago" });
}

const GIL = { name: "Gil Moreau", email: "gil@example.com", phone: "" };

test.each([
  "Gil Moreau, gil@example.com",
  "Gil Moreau <gil@example.com>",
  '"Gil Moreau" <gil@example.com>;',
  "Gil\tMoreau\tgil@example.com",
  "Gil;Moreau;gil@example.com",
  "gil@example.com Gil Moreau",
  "Gil Moreau gil@example.com",
  '"Moreau, Gil",gil@example.com',
  "  Gil   Moreau ,  GIL@Example.com ",
  "Gil Moreau\tmailto:gil@example.com",
  "Gil Moreau (gil@example.com)",
  "Gil Moreau;gil@example.com,",
])("APP-40 %j is stored as Gil Moreau, gil@example.com", (text) => {
  expect(rowsOf(text)).toEqual([{ number: 1, ...GIL, state: "ready" }]);
});

test("APP-40 a heading is not a person", () => {
  expect(rowsOf("Name,Email\nGil Moreau,gil@example.com")).toEqual([{ number: 2, ...GIL, state: "ready" }]);
});

test.each([
  ["Gil Moreau,gil at example.com", "The @ sign is missing."],
  ["gil@example.com", "The name is missing."],
  ["Gil Moreau,", "The email address is missing."],
  ["Gil Moreau\tgil@example.com noor@example.com", "There are two @ signs. Please enter one email address."],
])("APP-40 the row %j is marked: %s", (text, reason) => {
  // The heading says which cell is the address. The row that is only an address is read without a heading.
  const [row] = rowsOf(`Name\tEmail\n${text.replace(",", "\t")}`.replace(/^Name\tEmail\n(?=gil)/, ""));
  expect(row).toMatchObject({ state: "invalid", reason });
});

test("APP-40 all problems of a row are shown together", () => {
  const [, row] = rowsOf("Gil Moreau,gil@example.com\n,noor@example");
  expect(row?.reason).toBe('The name is missing. The ending is missing, such as ".com".');
});

test("APP-40 an address that is listed twice is marked, and can be sent to anyway", () => {
  const text = "Gil Moreau,gil@example.com\nGIL MOREAU,GIL@example.com\nNoor Moreau,gil@example.com";
  expect(rowsOf(text).map(({ state, reason }) => [state, reason])).toEqual([
    ["ready", undefined],
    ["repeated", "The same person as in row 1."],
    ["repeated", "The same address as Gil Moreau in row 1."],
  ]);
  expect(rowsOf(text, { choices: [[3, "sendAnyway"]] }).map(({ state }) => state)).toEqual([
    "ready",
    "repeated",
    "ready",
  ]);
});

test("APP-40 if the first of two rows is left out or cannot be sent, the second one is sent", () => {
  const text = "Gil Moreau,gil@example.com\nGil Moreau,gil@example.com";
  expect(rowsOf(text, { choices: [[1, "leaveOut"]] }).map(({ state }) => state)).toEqual([
    "leftOut",
    "ready",
  ]);
  const nameless = rowsOf(",gil@example.com\nGil Moreau,gil@example.com\nGil Moreau,gil@example.com");
  expect(nameless.map(({ state, reason }) => [state, reason])).toEqual([
    ["invalid", "The name is missing."],
    ["ready", undefined],
    ["repeated", "The same person as in row 2."],
  ]);
});

test("APP-40 a person who was sent the same waiver and has not signed it is marked, and can be sent it anyway", () => {
  const waiting: [string, string][] = [["gil@example.com", "2026-05-01T00:00:00Z"]];
  expect(rowsOf("Gil Moreau,Gil@example.com", { waiting })).toMatchObject([
    { state: "waiting", reason: "Got this waiver 3 days ago and has not signed it yet." },
  ]);
  expect(rowsOf("Gil Moreau,gil@example.com", { waiting, choices: [[1, "sendAnyway"]] })).toMatchObject([
    { state: "ready" },
  ]);
});

test("APP-40 an edited row is checked again, and an invalid row cannot be sent anyway", () => {
  const text = "Gil Moreau,gil@example.com\nNoor Haddad,noor@";
  const fixed = { name: "Noor Haddad", email: "noor@example.com", phone: "" };
  expect(rowsOf(text, { edits: [[2, fixed]] })[1]).toMatchObject({ ...fixed, state: "ready" });
  expect(rowsOf(text, { choices: [[2, "sendAnyway"]] })[1]).toMatchObject({ state: "invalid" });
});

test("APP-40 phone numbers need their country if text messages are offered", () => {
  const text = "Gil Moreau,gil@example.com,'+1 212 555 0123\nNoor Haddad,noor@example.com,212 555 0123";
  const withHeading = `Name,Email,Mobile\n${text}`;
  expect(rowsOf(withHeading, { withPhoneNumbers: true })).toMatchObject([
    { phone: "+1 212 555 0123", state: "ready" },
    { state: "invalid", reason: "Please write the number with its country, such as +1 212 555 0123." },
  ]);
  expect(rowsOf(withHeading).map(({ phone, state }) => [phone, state])).toEqual([
    ["", "ready"],
    ["", "ready"],
  ]);
});

test("APP-40 the summary counts what will be sent and what will not", () => {
  expect(summary(rowsOf("Gil Moreau,gil@example.com"))).toBe("1 person will get the waiver.");
  expect(summary(rowsOf("Gil Moreau,gil@example.com\nNoor Haddad,noor@example.com"))).toBe(
    "All 2 people will get the waiver.",
  );
  const text = "Gil,gil@example.com\nGil,gil@example.com\nNoor,noor@\nAna,ana@example.com\nBo,bo@example.com";
  const given: Given = { waiting: [["ana@example.com", ""]], choices: [[5, "leaveOut"]] };
  expect(summary(rowsOf(text, given))).toBe(
    "1 of 5 people will get the waiver. 1 row needs to be fixed. 1 is listed twice. 1 has the waiver already. 1 is left out.",
  );
});

test("APP-43 a list has between 1 and 500 rows", () => {
  expect(listProblem(0)).toBe("Please add at least one person.");
  expect(listProblem(1)).toBeUndefined();
  expect(listProblem(500)).toBeUndefined();
  expect(listProblem(501)).toMatch(/^This list has 501 rows\. Please send at most 500 at once/);
});
