import { expect, test } from "vitest";
import { plateaus, summit } from "./terrain";

test("the same seed gives the same landscape, and another seed gives a different one", () => {
  expect(plateaus("case-studies", 400, 160, 6)).toEqual(plateaus("case-studies", 400, 160, 6));
  expect(plateaus("case-studies", 400, 160, 6)).not.toEqual(plateaus("best-practices", 400, 160, 6));
});

test("every line is closed, so that it can be filled", () => {
  for (const area of plateaus("best-practices", 400, 160, 6)) {
    expect(area.split("M").length).toBe(area.split("Z").length);
  }
});

test("the summit is inside the picture", () => {
  const { x, y } = summit("digital-waivers-guide");
  expect(Math.min(x, y)).toBeGreaterThan(0.1);
  expect(Math.max(x, y)).toBeLessThan(0.95);
});
