import { expect, test } from "vitest";
import {
  NO_INK,
  cleared,
  described,
  evidence,
  isSignature,
  scaled,
  withoutLastStroke,
  type Ink,
} from "./ink";

const at = (x: number, y: number) => ({ x, y, pressure: 0.5, time: 0 });
const DOT = [at(100, 100)];
const LINE = [at(100, 100), at(140, 130)];
const SLIP = [at(20, 90), at(250, 96), at(500, 92)];
const WAVE = [at(100, 100), at(120, 60), at(140, 120)];

const drawn = (...strokes: Ink["strokes"]): Ink => ({ ...NO_INK, strokes });
const typed = (text: string): Ink => ({ mode: "type", strokes: [], typed: text });

test.each([
  ["an untouched pad", NO_INK, false],
  ["a dot", drawn(DOT), false],
  ["five dots", drawn(DOT, DOT, DOT, DOT, DOT), false],
  ["one straight line", drawn(LINE), false],
  ["one nearly straight line", drawn(SLIP), false],
  ["a wave", drawn(WAVE), true],
  ["a cross", drawn(LINE, [at(140, 100), at(100, 130)]), true],
  ["nothing typed", typed("  "), false],
  ["a typed name", typed("Gil"), true],
])("SIGN-08 %s counts as a signature only when it is one", (_, ink, counts) => {
  expect(isSignature(ink)).toBe(counts);
});

test("SIGN-08 a cleared pad is no signature, drawn or typed", () => {
  expect(isSignature(cleared(drawn(WAVE)))).toBe(false);
  expect(isSignature(cleared(typed("Gil")))).toBe(false);
});

test("undo takes back one stroke", () => {
  expect(withoutLastStroke(drawn(LINE, DOT)).strokes).toEqual([LINE]);
});

test("typing instead of drawing keeps what was drawn", () => {
  const ink: Ink = { ...drawn(WAVE), mode: "type" };

  expect(isSignature(ink)).toBe(false);
  expect(isSignature({ ...cleared(ink), mode: "draw" })).toBe(true);
});

test("a turned phone shows the same strokes at another size, and back", () => {
  const [there] = scaled([LINE], 0.5);

  expect(there?.[1]).toMatchObject({ x: 70, y: 65 });
  expect(scaled(scaled([LINE], 0.6), 1 / 0.6)[0]?.[1]?.x).toBeCloseTo(140);
});

test("a screen reader hears what is on the paper", () => {
  expect(described(NO_INK)).toBe("No signature yet.");
  expect(described(drawn(DOT))).toMatch(/Only a mark so far/);
  expect(described(drawn(LINE, LINE))).toBe("Signature drawn, 2 strokes.");
  expect(described(typed("Gil Guest"))).toBe("Signed by typing: Gil Guest.");
});

test("the strokes are kept with their time, without false precision; a typed name as it was typed", () => {
  const point = { x: 100.123, y: 20.06, pressure: 0.512, time: 1_790_000_000_000.4 };

  expect(evidence(drawn([point]))).toEqual([[{ x: 100.1, y: 20.1, pressure: 0.5, time: 1_790_000_000_000 }]]);
  expect(evidence(typed(" Gil "))).toEqual({ typed: "Gil" });
});

test("endless scribbling still fits into the record, from its first stroke to its last", () => {
  const endless = Array.from({ length: 30_000 }, (_, index) => ({
    ...at(599.9, 199.9),
    time: 1.79e12 + index,
  }));

  const kept = evidence(drawn(endless, LINE));

  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept).length).toBeLessThan(600_000);
});
