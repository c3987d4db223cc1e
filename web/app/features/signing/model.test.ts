import { describe, expect, test } from "vitest";
import { fillPlaceholders, missingFields } from "./model";

const CONTENT = "I, [PARTICIPANT NAME], join [COMPANY NAME]. Signed: [PARTICIPANT NAME]";

describe("the placeholders of a waiver", () => {
  test("SIGN-12 each placeholder is replaced by the name as typed", () => {
    const filledText = fillPlaceholders(CONTENT, { participant: "Gil García", company: "Rio Rafting" });

    expect(filledText).toBe("I, Gil García, join Rio Rafting. Signed: Gil García");
  });

  test.each(["", "   "])("SIGN-12 until a name is typed, the text says [YOUR NAME]: %j", (participant) => {
    expect(fillPlaceholders(CONTENT, { participant, company: "Rio" })).toBe(
      "I, [YOUR NAME], join Rio. Signed: [YOUR NAME]",
    );
  });

  test("a company without a name is called the Company", () => {
    expect(fillPlaceholders("[COMPANY NAME]", { participant: "Gil", company: "" })).toBe("the Company");
  });

  test("a guest named [COMPANY NAME] keeps that name", () => {
    const filledText = fillPlaceholders(CONTENT, { participant: "[COMPANY NAME]", company: "Rio" });

    expect(filledText).toBe("I, [COMPANY NAME], join Rio. Signed: [COMPANY NAME]");
  });

  test("a dollar sign in a name has no special meaning", () => {
    expect(fillPlaceholders("[PARTICIPANT NAME]!", { participant: "$& $1", company: "" })).toBe("$& $1!");
  });
});

test.each([
  [{ name: "Gil", email: "gil@example.com", hasSigned: true }, []],
  [{ name: "  ", email: "\t", hasSigned: false }, ["name", "email", "signature"]],
  [{ name: "Gil", email: "gil@example.com", hasSigned: false }, ["signature"]],
] as const)("fields that are empty after trimming are missing: %j", (signer, missing) => {
  expect(missingFields(signer)).toEqual(missing);
});
