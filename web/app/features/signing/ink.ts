/** A point in the pad's own units, whatever size it was drawn at, and when it was drawn. */
export type Point = { x: number; y: number; pressure: number; time: number };
export type Stroke = Point[];

/** Both ways of signing are kept, so that trying the other one loses nothing. */
export type Ink = { mode: "draw" | "type"; strokes: Stroke[]; typed: string };

export const NO_INK: Ink = { mode: "draw", strokes: [], typed: "" };

/** A resting finger leaves less ink than this; nobody's signature does. */
const SHORTEST_SIGNATURE = 20;
/** A line this much longer than the way from its one end to the other is no slip any more. */
const BENT = 1.05;

/** Neither a dot nor one straight line, which a sleeve draws too; two of them are the cross some people sign with. */
export function isSignature({ mode, strokes, typed }: Ink): boolean {
  if (mode === "type") return typed.trim() !== "";
  const drawn = strokes.reduce((sum, stroke) => sum + length(stroke), 0);
  return drawn >= SHORTEST_SIGNATURE && (strokes.length > 1 || drawn > BENT * length(ends(strokes[0] ?? [])));
}

function ends(stroke: Stroke): Stroke {
  return [...stroke.slice(0, 1), ...stroke.slice(-1)];
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

/** How the picture came to be, kept beside it: the hand's strokes, or the letters that were typed. */
export type Making = Stroke[] | { typed: string };

export function evidence(ink: Ink): Making {
  if (ink.mode === "type") return { typed: ink.typed.trim() };
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
  if (!isSignature(ink)) return "Only a mark so far. Please draw your whole signature.";
  return ink.strokes.length === 1
    ? "Signature drawn, 1 stroke."
    : `Signature drawn, ${ink.strokes.length} strokes.`;
}
