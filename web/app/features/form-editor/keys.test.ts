import { expect, test } from "vitest";
import { keyFor } from "./keys";

test.each([
  ["Do you swim?", "do_you_swim"],
  ["Alergías", "alergias"],
  ["2 phones?", "phones"],
  ["__Notes__", "notes"],
  ["تسبح؟", "yes_no"],
  ["", "yes_no"],
  ["a".repeat(60), "a".repeat(40)],
])("FORM-29 the label %j has the key %j", (label, key) => {
  expect(keyFor(label, "yes_no", new Set())).toBe(key);
});

test("FORM-29 a key that is taken gets a number, also if it is as long as possible", () => {
  expect(keyFor("Swim", "yes_no", new Set(["swim"]))).toBe("swim_2");
  expect(keyFor("Swim", "yes_no", new Set(["swim", "swim_2"]))).toBe("swim_3");
  expect(keyFor("a".repeat(40), "yes_no", new Set(["a".repeat(40)]))).toBe(`${"a".repeat(38)}_2`);
});
