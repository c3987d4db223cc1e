import { expect, test } from "vitest";
import { errorMessage } from "./error-message";

test("an error without a message gets a default message", () => {
  expect(errorMessage(new Error(""))).toBe("An unexpected error occurred");
  expect(errorMessage(new Error("Invalid login credentials"))).toBe("Invalid login credentials");
});
