import { expect, test } from "vitest";
import cases from "../../../../tests/messaging/greetings.json";
import { greeting } from "./greeting";

test.each(cases)("APP-36 the email to %o begins with %o", (name, expected) => {
  expect(greeting(name ?? "")).toBe(expected);
});
