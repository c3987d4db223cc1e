import { expect, test } from "vitest";
import { depth, isExpired, targetOf } from "./model";

const MEDICAL = "template-medical-emergency-authorization";
const templates = [{ id: MEDICAL }, { id: "tpl-1" }];

test.each([
  ["5e551011-0000-4000-8000-000000000001", "session"],
  [`a-${"b".repeat(29)}`, "session"],
  [`a-${"b".repeat(28)}`, "template"],
  ["b".repeat(40), "template"],
  ["tpl-1", "template"],
])("TPL-25 %s is the id of a %s", (value, kind) => {
  expect(targetOf(value, templates)).toEqual({ kind, id: value });
});

test("TPL-26 a known template is one, however long its id", () => {
  expect(targetOf(MEDICAL, templates).kind).toBe("template");
  expect(targetOf(MEDICAL, []).kind).toBe("session");
});

test.each([
  ["pending", "2026-01-01T00:00:00Z", true],
  ["pending", "2026-01-03T00:00:00Z", false],
  ["pending", null, false],
  ["signed", "2026-01-01T00:00:00Z", false],
] as const)("a %s session that ends at %s is over: %s", (status, expires_at, over) => {
  expect(isExpired({ status, expires_at }, new Date("2026-01-02T00:00:00Z"))).toBe(over);
});

test("how far the words were read is told in per cent", () => {
  const box = document.createElement("div");
  Object.defineProperties(box, { scrollHeight: { value: 400 }, clientHeight: { value: 100 } });
  expect(depth(box)).toBe(25);
  box.scrollTop = 300;
  expect(depth(box)).toBe(100);
});
