import { describe, expect, test } from "vitest";
import { fill, isCompleteEmail, missing } from "./model";

const WORDS = "I, [PARTICIPANT NAME], join [COMPANY NAME]. Signed: [PARTICIPANT NAME]";

describe("the blanks of a waiver", () => {
  test("SIGN-12 every one of them takes the name as it was typed", () => {
    const filled = fill(WORDS, { participant: "Gil García", company: "Rio Rafting" });

    expect(filled).toBe("I, Gil García, join Rio Rafting. Signed: Gil García");
  });

  test.each(["", "   "])("SIGN-12 a name not yet typed reads [YOUR NAME]: %j", (participant) => {
    expect(fill(WORDS, { participant, company: "Rio" })).toBe(
      "I, [YOUR NAME], join Rio. Signed: [YOUR NAME]",
    );
  });

  test("a company without a name is called the Company", () => {
    expect(fill("[COMPANY NAME]", { participant: "Gil", company: "" })).toBe("the Company");
  });

  test("a guest called [COMPANY NAME] stays a guest", () => {
    const filled = fill(WORDS, { participant: "[COMPANY NAME]", company: "Rio" });

    expect(filled).toBe("I, [COMPANY NAME], join Rio. Signed: [COMPANY NAME]");
  });

  test("a name with a dollar sign is not taken for a pattern", () => {
    expect(fill("[PARTICIPANT NAME]!", { participant: "$& $1", company: "" })).toBe("$& $1!");
  });
});

test.each([
  [{ name: "Gil", email: "gil@example.com", signed: true }, []],
  [{ name: "  ", email: "\t", signed: false }, ["name", "email", "signature"]],
  [{ name: "Gil", email: "gil@example.com", signed: false }, ["signature"]],
] as const)("what is missing counts after trimming: %j", (signer, needed) => {
  expect(missing(signer)).toEqual(needed);
});

test.each([
  ["gil@example.com", true],
  [" gil@boathouse ", true],
  ["gil@", false],
  ["gil at example.com", false],
])("%j is a complete address: %s", (email, isComplete) => {
  expect(isCompleteEmail(email)).toBe(isComplete);
});
