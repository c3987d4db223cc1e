import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addressProblem, cleanAddress, cleanLine, inSpokenOrder, nameProblem } from "./stored-recipient";

type Examples = { names: string[][]; addresses: string[][]; refused_addresses: string[] };

const examples: Examples = JSON.parse(readFileSync("../tests/waivers/recipients.json", "utf8"));

test.each(examples.names)("APP-40 the name %j is stored as %j", (typed = "", stored = "") => {
  expect(cleanLine(typed)).toBe(stored);
});

test.each(examples.addresses)("APP-40 the address %j is stored as %j", (typed = "", stored = "") => {
  expect(cleanAddress(typed)).toBe(stored);
  expect(addressProblem(stored)).toBeUndefined();
});

test.each(examples.refused_addresses)("APP-40 %j is not an address", (typed) => {
  expect(addressProblem(cleanAddress(typed))).toMatch(/\.$/);
});

test.each([
  ["", "The email address is missing."],
  ["gil.example.com", "The @ sign is missing."],
  ["gil@example.com, noor@example.com", "There are two @ signs. Please enter one email address."],
  ["gil@example", 'The ending is missing, such as ".com".'],
  ["gil@example,com", "Please enter one email address, without brackets, quotes or commas."],
  ["gil m@example.com", "There is a space in the email address."],
  ["gil@example..com", "There is a dot too many."],
  [`${"a".repeat(320)}@example.com`, "The email address is too long."],
])("APP-40 the reason why %j is refused is %j", (address, problem) => {
  expect(addressProblem(address)).toBe(problem);
});

test.each([
  ["Okafor, Gil", "Gil Okafor"],
  ["de la Cruz, María", "María de la Cruz"],
  ["Gil Moreau", "Gil Moreau"],
  ["Gil Moreau, Jr.", "Gil Moreau, Jr."],
  ["Gil Moreau, III", "Gil Moreau, III"],
  ["Moreau, Gil, guide", "Moreau, Gil, guide"],
  ["Moreau,", "Moreau,"],
])("APP-40 %j is written as %j", (name, spoken) => {
  expect(inSpokenOrder(name)).toBe(spoken);
});

test("a name has between 1 and 400 characters", () => {
  expect(nameProblem("")).toBe("The name is missing.");
  expect(nameProblem("a".repeat(400))).toBeUndefined();
  expect(nameProblem("a".repeat(401))).toBe("The name is longer than 400 characters.");
});
