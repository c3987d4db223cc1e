import { expect, test } from "vitest";
import { scrollDepth, isExpired, parseSignParameter } from "./model";

const MEDICAL = "template-medical-emergency-authorization";
const templates = [{ id: MEDICAL }, { id: "tpl-1" }];

// An id with a hyphen and more than 30 characters belongs to a session.
test.each([
  ["5e551011-0000-4000-8000-000000000001", "session"],
  [`a-${"b".repeat(29)}`, "session"],
  [`a-${"b".repeat(28)}`, "template"],
  ["b".repeat(40), "template"],
  ["tpl-1", "template"],
])("TPL-25 %s is recognised as the id of a %s", (value, kind) => {
  expect(parseSignParameter(value, templates)).toEqual({ kind, id: value });
});

test("TPL-26 a known template is recognised even if its id is long", () => {
  expect(parseSignParameter(MEDICAL, templates).kind).toBe("template");
  expect(parseSignParameter(MEDICAL, []).kind).toBe("session");
});

test.each([
  ["2026-01-01T00:00:00Z", true],
  ["2026-01-03T00:00:00Z", false],
  [null, false],
] as const)("on January 2, a session that expires at %s has expired: %s", (expires_at, hasExpired) => {
  expect(isExpired({ expires_at }, new Date("2026-01-02T00:00:00Z"))).toBe(hasExpired);
});

test("the scroll depth is a percentage of the text", () => {
  const box = document.createElement("div");
  Object.defineProperties(box, { scrollHeight: { value: 400 }, clientHeight: { value: 100 } });
  expect(scrollDepth(box)).toBe(25);
  box.scrollTop = 300;
  expect(scrollDepth(box)).toBe(100);
});
