import SignaturePad, { type PointGroup } from "signature_pad";
import { encodeStrokesAsPng, isCanvasReadable } from "./png-encoder";
import { scaleStrokes, type SignatureInput, type Size, type Stroke } from "./signature-input";

// The library's width is a radius, so a minimum and maximum of 1 draw an even line of 2 px.
const PEN = {
  penColor: "#000",
  minWidth: 1,
  maxWidth: 1,
  dotSize: 1,
  velocityFilterWeight: 0.7,
  compositeOperation: "source-over",
} as const;

const HANDWRITING_FONTS = '"Snell Roundhand", "Segoe Script", "Dancing Script", "Bradley Hand", cursive';

type StrokesHandler = (strokes: Stroke[]) => void;

export type Surface = {
  show: (signature: SignatureInput, onStrokes: StrokesHandler) => void;
  close: () => void;
};

/** Lets the guest draw on a canvas of any displayed size. Strokes are reported in the coordinates of the pad. */
export function openSurface(canvas: HTMLCanvasElement, size: Size): Surface {
  const context = contextOf(canvas);
  const pad = new SignaturePad(canvas, { ...PEN, minDistance: 2 });
  /** The displayed width of the canvas divided by the width of the pad. */
  let scale = 1;
  let shownSignature: SignatureInput | undefined;
  let handleStrokes: StrokesHandler | undefined;

  const currentStrokes = () => scaleStrokes(strokesOf(pad), 1 / scale);

  function draw(signature: SignatureInput) {
    shownSignature = signature;
    // Switch the pad off and on. Otherwise, if the canvas is redrawn under a resting finger, the pad waits for that
    // finger forever.
    pad.off();
    pad.fromData(signature.mode === "draw" ? toPointGroups(scaleStrokes(signature.strokes, scale)) : []);
    if (signature.mode === "draw") return pad.on();
    writeText(context, signature.typed, size, scale);
  }

  function fitDisplayedSize() {
    const width = canvas.clientWidth;
    if (!width || !shownSignature) return;
    const previous = shownSignature;
    const signature = previous.mode === "draw" ? { ...previous, strokes: currentStrokes() } : previous;
    const ratio = window.devicePixelRatio || 1;
    scale = width / size.width;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(size.height * scale * ratio);
    context.scale(ratio, ratio);
    draw(signature);
    // If the screen was rotated during a stroke, the part already drawn counts as a stroke.
    if (signature.strokes.length > previous.strokes.length) handleStrokes?.(signature.strokes);
  }

  function finishStroke() {
    const strokes = currentStrokes();
    // Redraw from the data, so that the guest sees exactly what will be stored.
    draw({ mode: "draw", typed: "", strokes });
    handleStrokes?.(strokes);
  }

  const observer = new ResizeObserver(fitDisplayedSize);
  observer.observe(canvas);
  pad.addEventListener("endStroke", finishStroke);

  return {
    show(signature, onStrokes) {
      handleStrokes = onStrokes;
      // Unchanged strokes were drawn here and returned as a prop. Redrawing them could erase a stroke that has just begun.
      const isUnchanged =
        signature.mode === "draw" &&
        shownSignature?.mode === "draw" &&
        signature.strokes === shownSignature.strokes;
      if (isUnchanged) return;
      const isFirst = !shownSignature;
      draw(signature);
      if (isFirst) fitDisplayedSize();
    },
    close() {
      observer.disconnect();
      pad.removeEventListener("endStroke", finishStroke);
      pad.off();
    },
  };
}

/**
 * Returns the signature as a PNG data URL, black on white. Its size is that of the pad and does not depend on the
 * screen.
 */
export function renderPng(signature: SignatureInput, size: Size): string {
  if (signature.mode === "draw" && !isCanvasReadable()) return encodeStrokesAsPng(signature.strokes, size);
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const pad = new SignaturePad(canvas, { ...PEN, backgroundColor: "#fff" });
  pad.off();
  if (signature.mode === "draw") pad.fromData(toPointGroups(signature.strokes));
  else writeText(contextOf(canvas), signature.typed, size, 1);
  return canvas.toDataURL("image/png");
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot draw.");
  return context;
}

function strokesOf(pad: SignaturePad): Stroke[] {
  return pad
    .toData()
    .map((group) => group.points)
    .filter((points) => points.length > 0);
}

function toPointGroups(strokes: Stroke[]): PointGroup[] {
  return strokes.map((points) => ({ ...PEN, points }));
}

/** Writes the name in the middle of the pad. It becomes smaller until it takes at most 88 % of the width. */
function writeText(context: CanvasRenderingContext2D, text: string, size: Size, scale: number) {
  const name = text.trim();
  const maxFontSize = size.height * 0.42;
  context.save();
  context.scale(scale, scale);
  context.font = `italic ${maxFontSize}px ${HANDWRITING_FONTS}`;
  const fitFactor = (size.width * 0.88) / Math.max(context.measureText(name).width, 1);
  context.font = `italic ${maxFontSize * Math.min(fitFactor, 1)}px ${HANDWRITING_FONTS}`;
  context.fillStyle = PEN.penColor;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(name, size.width / 2, size.height / 2);
  context.restore();
}
