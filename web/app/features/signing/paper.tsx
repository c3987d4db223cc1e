import { useEffect, useRef, useState } from "react";
import { described, isEmpty, type Ink } from "./ink";
import { openSurface, type Surface } from "./surface";

type Props = { ink: Ink; onInk: (ink: Ink) => void; width: number; height: number };

/** The white sheet both ways of signing end up on. */
export function Paper({ ink, onInk, width, height }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [surface, setSurface] = useState<Surface | null>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const opened = openSurface(canvas.current, { width, height });
    setSurface(opened);
    return () => opened.close();
  }, [width, height]);
  useEffect(() => {
    surface?.show(ink, (strokes) => onInk({ ...ink, strokes }));
  }, [surface, ink, onInk]);

  return (
    <div className="signature-paper" style={{ maxWidth: width }}>
      <canvas
        ref={canvas}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- nobody can draw on an img
        role="img"
        aria-label={`Signature pad. ${described(ink)}`}
        style={{ aspectRatio: `${width} / ${height}` }}
      />
      {isEmpty(ink) && <span aria-hidden="true">{ink.mode === "draw" ? "Sign here" : "Type above"}</span>}
    </div>
  );
}
