/**
 * The coordinates are those of the pad and do not depend on the displayed size. `time` is when the point was drawn, in
 * milliseconds since 1970.
 */
export type Point = { x: number; y: number; pressure: number; time: number };
export type Stroke = Point[];
export type Size = { width: number; height: number };

/** Drawn strokes and typed text are both kept, so that nothing is lost when the guest switches the mode. */
export type SignatureInput = { mode: "draw" | "type"; strokes: Stroke[]; typed: string };

export const NO_SIGNATURE: SignatureInput = { mode: "draw", strokes: [], typed: "" };

/** A real signature is at least this long, in the coordinates of the pad. A resting finger draws a shorter line. */
const MIN_SIGNATURE_LENGTH = 20;
/**
 * An accidental swipe is nearly straight. A bent line is at least this many times longer than the distance between its
 * ends.
 */
const MIN_BEND = 1.05;

/**
 * Rejects dots and a single straight line, which a sleeve can draw by accident. Two straight lines count, because some
 * people sign with a cross.
 */
export function isSignature({ mode, strokes, typed }: SignatureInput): boolean {
  if (mode === "type") return typed.trim() !== "";
  const totalLength = strokes.reduce((sum, stroke) => sum + strokeLength(stroke), 0);
  // This says whether a single stroke is bent. It is not used if there are several strokes.
  const isBent = totalLength > MIN_BEND * strokeLength(strokeEnds(strokes[0] ?? []));
  return totalLength >= MIN_SIGNATURE_LENGTH && (strokes.length > 1 || isBent);
}

function strokeEnds(stroke: Stroke): Stroke {
  return [...stroke.slice(0, 1), ...stroke.slice(-1)];
}

function strokeLength(stroke: Stroke): number {
  return stroke.reduce((sum, point, index) => {
    const previous = stroke[index - 1] ?? point;
    return sum + Math.hypot(point.x - previous.x, point.y - previous.y);
  }, 0);
}

export function isEmpty(signature: SignatureInput): boolean {
  return signature.mode === "type" ? signature.typed === "" : signature.strokes.length === 0;
}

export function clearSignature(signature: SignatureInput): SignatureInput {
  return signature.mode === "type" ? { ...signature, typed: "" } : { ...signature, strokes: [] };
}

export function undoStroke(signature: SignatureInput): SignatureInput {
  return { ...signature, strokes: signature.strokes.slice(0, -1) };
}

export function scaleStrokes(strokes: Stroke[], factor: number): Stroke[] {
  return strokes.map((stroke) =>
    stroke.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  );
}

/** More points add nothing visible to a signature. The server accepts rows with about 7,000 of them. */
const MAX_POINTS = 5000;

/** The drawn strokes or the typed text are stored with the picture, as evidence of how the guest signed. */
export type SignatureRecord = Stroke[] | { typed: string };

export function toSignatureRecord(signature: SignatureInput): SignatureRecord {
  if (signature.mode === "type") return { typed: signature.typed.trim() };
  // With a step of 2, every second point is stored.
  const step = Math.ceil(signature.strokes.reduce((sum, stroke) => sum + stroke.length, 0) / MAX_POINTS);
  return signature.strokes.map((stroke) => stroke.filter((_, index) => index % step === 0).map(roundPoint));
}

function roundPoint({ x, y, pressure, time }: Point): Point {
  return { x: toTenths(x), y: toTenths(y), pressure: toTenths(pressure), time: Math.round(time) };
}

function toTenths(number: number): number {
  return Math.round(number * 10) / 10;
}

/** Returns the text that screen readers announce for the pad. */
export function describeSignature(signature: SignatureInput): string {
  if (isEmpty(signature)) return "No signature yet.";
  if (signature.mode === "type") return `Signed by typing: ${signature.typed.trim()}.`;
  if (!isSignature(signature)) return "Only a mark so far. Please draw your whole signature.";
  return signature.strokes.length === 1
    ? "Signature drawn, 1 stroke."
    : `Signature drawn, ${signature.strokes.length} strokes.`;
}
