import { expect, test } from "vitest";
import { parseTable, type Delimiter } from "./parse-table";

const cellsOf = (text: string, delimiter?: Delimiter) =>
  parseTable(text, delimiter).rows.map(({ cells }) => cells);

const GIL = ["Gil", "Moreau", "gil@example.com"];
const NOOR = ["Noor", "Haddad", "noor@example.com"];

test.each([
  [
    "tabs, as a spreadsheet copies cells",
    "Gil\tMoreau\tgil@example.com\nNoor\tHaddad\tnoor@example.com",
    "\t",
  ],
  ["commas", "Gil,Moreau,gil@example.com\r\nNoor,Haddad,noor@example.com\r\n", ","],
  ["commas and spaces", "Gil, Moreau, gil@example.com\nNoor, Haddad, noor@example.com", ","],
  ["semicolons", "Gil;Moreau;gil@example.com\rNoor;Haddad;noor@example.com", ";"],
  ["quotes", '"Gil","Moreau","gil@example.com"\n"Noor","Haddad","noor@example.com"', ","],
  [
    "the delimiter that Excel declares",
    "sep=;\nGil;Moreau;gil@example.com\nNoor;Haddad;noor@example.com",
    ";",
  ],
  ["a byte order mark", "\u{FEFF}Gil;Moreau;gil@example.com\nNoor;Haddad;noor@example.com", ";"],
])("APP-40 a table with %s is parsed", (_, text, delimiter) => {
  expect(cellsOf(text)).toEqual([GIL, NOOR]);
  expect(parseTable(text).delimiter).toBe(delimiter);
});

test("APP-40 commas inside quotes and names do not separate cells", () => {
  expect(cellsOf('"Okafor, Gil",gil@example.com')).toEqual([["Okafor, Gil", "gil@example.com"]]);
  expect(cellsOf("Okafor, Gil;gil@example.com\nHaddad, Noor;noor@example.com")).toEqual([
    ["Okafor, Gil", "gil@example.com"],
    ["Haddad, Noor", "noor@example.com"],
  ]);
  expect(cellsOf("Okafor, Gil\tgil@example.com")).toEqual([["Okafor, Gil", "gil@example.com"]]);
});

test("APP-40 quoted cells may contain quotes, delimiters and line breaks", () => {
  expect(
    cellsOf('"Gil ""River"" Moreau","gil@example.com","likes\r\nrafts, boats"\nNoor,noor@example.com,'),
  ).toEqual([
    ['Gil "River" Moreau', "gil@example.com", "likes\r\nrafts, boats"],
    ["Noor", "noor@example.com", ""],
  ]);
});

test("APP-40 a quote that is never closed does not affect other rows", () => {
  expect(cellsOf('Gil "River,gil@example.com\n"Noor,noor@example.com\nAna,ana@example.com')).toEqual([
    ['Gil "River', "gil@example.com"],
    ['"Noor', "noor@example.com"],
    ["Ana", "ana@example.com"],
  ]);
});

test("characters after a closing quote are kept", () => {
  expect(cellsOf('"Gil" Moreau,gil@example.com')).toEqual([["Gil Moreau", "gil@example.com"]]);
});

test("APP-40 rows have the numbers that they have in the spreadsheet, and blank rows are left out", () => {
  expect(parseTable("Name,Email\n\n , \nGil,gil@example.com\n").rows).toEqual([
    { number: 1, cells: ["Name", "Email"] },
    { number: 4, cells: ["Gil", "gil@example.com"] },
  ]);
});

test.each([
  ["Gil Moreau <gil@example.com>", [["Gil Moreau", "gil@example.com"]]],
  ['"Okafor, Gil" <gil@example.com>;', [["Okafor, Gil", "gil@example.com"]]],
  ["Okafor, Gil <gil@example.com>", [["Okafor, Gil", "gil@example.com"]]],
  ["<gil@example.com>", [["", "gil@example.com"]]],
  [
    "gil@example.com\n\nnoor@example.com",
    [
      ["", "gil@example.com"],
      ["", "noor@example.com"],
    ],
  ],
  [
    'Gil Moreau <gil@example.com>, noor@example.com; "Ana \\"A\\" Ortiz"  <ana@example.com>',
    [
      ["Gil Moreau", "gil@example.com"],
      ["", "noor@example.com"],
      ['Ana "A" Ortiz', "ana@example.com"],
    ],
  ],
])("APP-40 %j is read as addresses that were copied from a mail program", (text, cells) => {
  expect(parseTable(text)).toMatchObject({ delimiter: null });
  expect(cellsOf(text)).toEqual(cells);
});

test.each([
  ["Gil;Moreau;<gil@example.com>", ["Gil", "Moreau", "<gil@example.com>"]],
  ["Gil,Moreau,<gil@example.com>", ["Gil", "Moreau", "<gil@example.com>"]],
  ["Gil Moreau <gil@example.com>\t+1 212 555 0123", ["Gil Moreau <gil@example.com>", "+1 212 555 0123"]],
  ["Gil Moreau, gil@example.com", ["Gil Moreau", "gil@example.com"]],
  ["Gil Moreau gil@example.com", ["Gil Moreau gil@example.com"]],
])("APP-40 %j is a table", (text, cells) => {
  expect(cellsOf(text)).toEqual([cells]);
});

test("APP-40 the user can choose another delimiter", () => {
  expect(cellsOf("Gil,Moreau;gil@example.com", ",")).toEqual([["Gil", "Moreau;gil@example.com"]]);
  expect(cellsOf("Gil <gil@example.com>", ",")).toEqual([["Gil <gil@example.com>"]]);
});

test("an empty text has no rows", () => {
  expect(parseTable("").rows).toEqual([]);
  expect(parseTable(" \n\t\n").rows).toEqual([]);
});

test.each([
  ["spaces", " ".repeat(300_000)],
  ["quotes", '"'.repeat(300_001)],
  ["at signs", "@".repeat(300_000)],
  ["angle brackets", "<".repeat(300_000)],
  ["short rows", "a,\n".repeat(30_000)],
  ["opening quotes", 'a,"b\n'.repeat(20_001)],
])("a long text of %s is parsed quickly", (_, text) => {
  const startedAt = performance.now();
  parseTable(`x${text}x`);
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
