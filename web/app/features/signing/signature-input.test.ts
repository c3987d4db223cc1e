import { expect, test } from "vitest";
import {
  NO_SIGNATURE,
  clearSignature,
  describeSignature,
  isSignature,
  scaleStrokes,
  toSignatureRecord,
  undoStroke,
  type SignatureInput,
} from "./signature-input";

const at = (x: number, y: number) => ({ x, y, pressure: 0.5, time: 0 });
const DOT = [at(100, 100)];
const LINE = [at(100, 100), at(140, 130)];
const SWIPE = [at(20, 90), at(250, 96), at(500, 92)];
const WAVE = [at(100, 100), at(120, 60), at(140, 120)];

const drawnSignature = (...strokes: SignatureInput["strokes"]): SignatureInput => ({
  ...NO_SIGNATURE,
  strokes,
});
const typedSignature = (text: string): SignatureInput => ({ mode: "type", strokes: [], typed: text });

test.each([
  ["an untouched pad", NO_SIGNATURE, false],
  ["a dot", drawnSignature(DOT), false],
  ["five dots", drawnSignature(DOT, DOT, DOT, DOT, DOT), false],
  ["one straight line", drawnSignature(LINE), false],
  ["one nearly straight line", drawnSignature(SWIPE), false],
  ["a wave", drawnSignature(WAVE), true],
  ["a cross", drawnSignature(LINE, [at(140, 100), at(100, 130)]), true],
  ["nothing typed", typedSignature("  "), false],
  ["a typed name", typedSignature("Gil"), true],
])("SIGN-08 %s is a signature: %s", (_, signature, expected) => {
  expect(isSignature(signature)).toBe(expected);
});

test("SIGN-08 a cleared pad does not count as a signature, drawn or typed", () => {
  expect(isSignature(clearSignature(drawnSignature(WAVE)))).toBe(false);
  expect(isSignature(clearSignature(typedSignature("Gil")))).toBe(false);
});

test("undo removes the last stroke", () => {
  expect(undoStroke(drawnSignature(LINE, DOT)).strokes).toEqual([LINE]);
});

test("switching to typing keeps the strokes", () => {
  const signature: SignatureInput = { ...drawnSignature(WAVE), mode: "type" };

  expect(isSignature(signature)).toBe(false);
  expect(isSignature({ ...clearSignature(signature), mode: "draw" })).toBe(true);
});

test("strokes keep their positions when the pad is resized", () => {
  const [half] = scaleStrokes([LINE], 0.5);

  expect(half?.[1]).toMatchObject({ x: 70, y: 65 });
  expect(scaleStrokes(scaleStrokes([LINE], 0.6), 1 / 0.6)[0]?.[1]?.x).toBeCloseTo(140);
});

test("the description says what is on the pad", () => {
  expect(describeSignature(NO_SIGNATURE)).toBe("No signature yet.");
  expect(describeSignature(drawnSignature(DOT))).toMatch(/Only a mark so far/);
  expect(describeSignature(drawnSignature(LINE, LINE))).toBe("Signature drawn, 2 strokes.");
  expect(describeSignature(typedSignature("Gil Guest"))).toBe("Signed by typing: Gil Guest.");
});

test("the record holds rounded strokes with their times, or the trimmed typed name", () => {
  const point = { x: 100.123, y: 20.06, pressure: 0.512, time: 1_790_000_000_000.4 };

  expect(toSignatureRecord(drawnSignature([point]))).toEqual([
    [{ x: 100.1, y: 20.1, pressure: 0.5, time: 1_790_000_000_000 }],
  ]);
  expect(toSignatureRecord(typedSignature(" Gil "))).toEqual({ typed: "Gil" });
});

test("a very long signature is thinned out to fit the record and keeps every stroke", () => {
  const longStroke = Array.from({ length: 14_999 }, (_, index) => ({
    ...at(599.9, 199.9),
    time: 1.79e12 + index,
  }));

  const record = toSignatureRecord(drawnSignature(longStroke, LINE));

  expect(record).toHaveLength(2);
  expect(JSON.stringify(record).length).toBeLessThan(600_000);
  // B13: the server refuses a row with more than 100,000 strings and punctuation marks.
  expect(JSON.stringify(record).match(/"[^"]*"|[{}[\],:]/g)?.length).toBeLessThan(100_000);
});
