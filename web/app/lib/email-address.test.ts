import { expect, test } from "vitest";
import { isEmailAddress } from "./email-address";

test.each([
  ["gil@example.com", true],
  [" gil@boathouse ", true],
  ["gil@", false],
  ["gil at example.com", false],
])("%j is a complete address: %s", (email, isComplete) => {
  expect(isEmailAddress(email)).toBe(isComplete);
});
