import { expect, test } from "vitest";
import { guessColumns, guessRoles, withRole } from "./columns";

const rowsOf = (text: string): string[][] => text.split("\n").map((line) => line.split("|"));
const GIL = "Gil|Moreau|gil@example.com";

test.each([
  ["First name|Last name|Email", ["firstName", "lastName", "email"]],
  ["E-Mail|Vorname|Nachname", ["email", "firstName", "lastName"]],
  ["Correo electrónico|Nombre|Apellidos", ["email", "firstName", "lastName"]],
  ["Prénom|Nom|Courriel", ["firstName", "lastName", "email"]],
  ["Name|Vorname|Mail", ["lastName", "firstName", "email"]],
  ["Full Name|EMAIL ADDRESS|Trip date", ["name", "email", "ignored"]],
  ["First Name|Last Name|Name|Email", ["firstName", "lastName", "ignored", "email"]],
  ["First name|Email|Birthday", ["name", "email", "ignored"]],
  ["Email|Email|Name", ["email", "ignored", "name"]],
])("APP-40 the heading %j names the columns", (heading, roles) => {
  expect(guessColumns(rowsOf(`${heading}\na|b|c`), false)).toEqual({ hasHeading: true, roles });
});

test("APP-40 a column of addresses is found under any heading", () => {
  const { roles } = guessColumns(rowsOf(`Name|Reach them at\nGil Moreau|gil@example.com`), false);
  expect(roles).toEqual(["name", "email"]);
});

test.each([
  ["Gil Moreau|gil@example.com", ["name", "email"]],
  ["gil@example.com|Gil Moreau", ["email", "name"]],
  [GIL, ["firstName", "lastName", "email"]],
  ["17|Gil|Moreau|2026-05-01|gil@example.com", ["ignored", "firstName", "lastName", "ignored", "email"]],
  ["Gil Moreau <gil@example.com>", ["email"]],
  ["Gil|Moreau|gil@example.com\nNoor|Haddad|\n||ana@example.com", ["firstName", "lastName", "email"]],
])("APP-40 without a heading, the cells of %j tell what the columns are", (text, roles) => {
  expect(guessColumns(rowsOf(text), false)).toEqual({ hasHeading: false, roles });
});

test("APP-40 phone numbers are recognized if text messages are offered", () => {
  const rows = rowsOf("Gil|+1 212 555 0123|gil@example.com");
  expect(guessColumns(rows, true).roles).toEqual(["name", "phone", "email"]);
  expect(guessColumns(rows, false).roles).toEqual(["name", "ignored", "email"]);
  expect(guessColumns(rowsOf("Name|Mobile|Mail\nGil|1|g"), true).roles).toEqual(["name", "phone", "email"]);
});

test("a first row is not a heading if it has an address or if no rows follow", () => {
  expect(guessColumns(rowsOf("Name|name@example.com\nGil|gil@example.com"), false).hasHeading).toBe(false);
  expect(guessColumns(rowsOf("Name|Email"), false).hasHeading).toBe(false);
});

test("APP-40 the user decides whether the first row is a heading", () => {
  const rows = rowsOf(`Guests of May|x|y\n${GIL}`);
  expect(guessColumns(rows, false).hasHeading).toBe(false);
  expect(guessRoles(rows, true, false)).toEqual(["ignored", "ignored", "email"]);
});

test("APP-40 a role that is given to a column is taken from the column that had it", () => {
  expect(withRole(["name", "email", "ignored"], 2, "name")).toEqual(["ignored", "email", "name"]);
  expect(withRole(["name", "email", "ignored"], 2, "lastName")).toEqual(["ignored", "email", "lastName"]);
  expect(withRole(["firstName", "lastName", "email"], 0, "name")).toEqual(["name", "ignored", "email"]);
  expect(withRole(["name", "email"], 0, "ignored")).toEqual(["ignored", "email"]);
  expect(withRole(["ignored", "ignored"], 0, "ignored")).toEqual(["ignored", "ignored"]);
});

test("an empty list has no columns", () => {
  expect(guessColumns([], false)).toEqual({ hasHeading: false, roles: [] });
});
