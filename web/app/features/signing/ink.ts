/** A point in the pad's own units, whatever size it was drawn at, and when it was drawn. */
export type Point = { x: number; y: number; pressure: number; time: number };
export type Stroke = Point[];

/** Both ways of signing are kept, so that trying the other one loses nothing. */
export type Ink = { mode: "draw" | "type"; strokes: Stroke[]; typed: string };

export const NO_INK: Ink = { mode: "draw", strokes: [], typed: "" };

/** A resting finger or a slip leaves less ink than this; nobody's signature does. */
const SHORTEST_SIGNATURE = 20;

export function isSignature(ink: Ink): boolean {
  if (ink.mode === "type") return ink.typed.trim() !== "";
  return ink.strokes.reduce((sum, stroke) => sum + length(stroke), 0) >= SHORTEST_SIGNATURE;
}

function length(stroke: Stroke): number {
  return stroke.reduce((sum, point, index) => {
    const before = stroke[index - 1] ?? point;
    return sum + Math.hypot(point.x - before.x, point.y - before.y);
  }, 0);
}

export function isEmpty(ink: Ink): boolean {
  return ink.mode === "type" ? ink.typed === "" : ink.strokes.length === 0;
}

export function cleared(ink: Ink): Ink {
  return ink.mode === "type" ? { ...ink, typed: "" } : { ...ink, strokes: [] };
}

export function withoutLastStroke(ink: Ink): Ink {
  return { ...ink, strokes: ink.strokes.slice(0, -1) };
}

export function scaled(strokes: Stroke[], factor: number): Stroke[] {
  return strokes.map((stroke) =>
    stroke.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  );
}

/** More points than this add nothing to what a signature shows, and the record has to stay small. */
const MOST_POINTS = 8000;

/** The strokes as they are kept beside the picture; a typed signature has none. */
export function evidence(ink: Ink): Stroke[] | null {
  if (ink.mode === "type") return null;
  const step = Math.ceil(ink.strokes.reduce((sum, stroke) => sum + stroke.length, 0) / MOST_POINTS);
  return ink.strokes.map((stroke) => stroke.filter((_, index) => index % step === 0).map(rounded));
}

function rounded({ x, y, pressure, time }: Point): Point {
  return { x: tenth(x), y: tenth(y), pressure: tenth(pressure), time: Math.round(time) };
}

function tenth(number: number): number {
  return Math.round(number * 10) / 10;
}

/** What a screen reader hears about the pad. */
export function described(ink: Ink): string {
  if (isEmpty(ink)) return "No signature yet.";
  if (ink.mode === "type") return `Signed by typing: ${ink.typed.trim()}.`;
  if (!isSignature(ink)) return "Only a small mark so far. Please draw your whole signature.";
  return ink.strokes.length === 1
    ? "Signature drawn, 1 stroke."
    : `Signature drawn, ${ink.strokes.length} strokes.`;
}
