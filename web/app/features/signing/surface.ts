import SignaturePad, { type PointGroup } from "signature_pad";
import { scaled, type Ink, type Stroke } from "./ink";
import { plainPicture, readsTruly } from "./plain-picture";

export type Size = { width: number; height: number };

// The library's width is a radius: 1 on both ends draws an even line of 2 px.
const PEN = {
  penColor: "#000",
  minWidth: 1,
  maxWidth: 1,
  dotSize: 1,
  velocityFilterWeight: 0.7,
  compositeOperation: "source-over",
} as const;

const HAND = '"Snell Roundhand", "Segoe Script", "Dancing Script", "Bradley Hand", cursive';

type Tell = (strokes: Stroke[]) => void;

export type Surface = { show: (ink: Ink, onStrokes: Tell) => void; close: () => void };

/** Lets people draw on a canvas of any shown size; strokes come out in the pad's own units. */
export function openSurface(canvas: HTMLCanvasElement, size: Size): Surface {
  const brush = brushOf(canvas);
  const pad = new SignaturePad(canvas, { ...PEN, minDistance: 2 });
  let scale = 1;
  let shown: Ink | undefined;
  let tell: Tell | undefined;

  const drawn = () => scaled(strokesOf(pad), 1 / scale);

  function draw(ink: Ink) {
    shown = ink;
    // Off and on again: a canvas redrawn under a resting finger would otherwise wait for that finger for ever.
    pad.off();
    pad.fromData(ink.mode === "draw" ? groups(scaled(ink.strokes, scale)) : []);
    if (ink.mode === "draw") return pad.on();
    write(brush, ink.typed, size, scale);
  }

  function fit() {
    const width = canvas.clientWidth;
    if (!width || !shown) return;
    const before = shown;
    const ink = before.mode === "draw" ? { ...before, strokes: drawn() } : before;
    const ratio = window.devicePixelRatio || 1;
    scale = width / size.width;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(size.height * scale * ratio);
    brush.scale(ratio, ratio);
    draw(ink);
    // The screen turned in the middle of a stroke: what was drawn of it counts.
    if (ink.strokes.length > before.strokes.length) tell?.(ink.strokes);
  }

  function finishStroke() {
    const strokes = drawn();
    // Drawn once more from its data, so that what is seen is what will be stored.
    draw({ mode: "draw", typed: "", strokes });
    tell?.(strokes);
  }

  const watcher = new ResizeObserver(fit);
  watcher.observe(canvas);
  pad.addEventListener("endStroke", finishStroke);

  return {
    show(ink, onStrokes) {
      tell = onStrokes;
      // Our own strokes coming back; drawing them again could wipe out one just begun.
      if (ink.mode === "draw" && shown?.mode === "draw" && ink.strokes === shown.strokes) return;
      const first = !shown;
      draw(ink);
      if (first) fit();
    },
    close() {
      watcher.disconnect();
      pad.removeEventListener("endStroke", finishStroke);
      pad.off();
    },
  };
}

/** The signature as a PNG data URL: black on white, at the pad's own size whatever screen it was made on. */
export function image(ink: Ink, size: Size): string {
  if (ink.mode === "draw" && !readsTruly()) return plainPicture(ink.strokes, size);
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const paper = new SignaturePad(canvas, { ...PEN, backgroundColor: "#fff" });
  paper.off();
  if (ink.mode === "draw") paper.fromData(groups(ink.strokes));
  else write(brushOf(canvas), ink.typed, size, 1);
  return canvas.toDataURL("image/png");
}

function brushOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("This browser cannot draw.");
  return brush;
}

function strokesOf(pad: SignaturePad): Stroke[] {
  return pad
    .toData()
    .map((group) => group.points)
    .filter((points) => points.length > 0);
}

function groups(strokes: Stroke[]): PointGroup[] {
  return strokes.map((points) => ({ ...PEN, points }));
}

function write(context: CanvasRenderingContext2D, text: string, size: Size, scale: number) {
  const name = text.trim();
  const tallest = size.height * 0.42;
  context.save();
  context.scale(scale, scale);
  context.font = `italic ${tallest}px ${HAND}`;
  const room = (size.width * 0.88) / Math.max(context.measureText(name).width, 1);
  context.font = `italic ${tallest * Math.min(room, 1)}px ${HAND}`;
  context.fillStyle = PEN.penColor;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(name, size.width / 2, size.height / 2);
  context.restore();
}
