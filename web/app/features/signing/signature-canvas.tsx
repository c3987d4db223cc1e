import { useEffect, useRef, useState } from "react";
import { describeSignature, isEmpty, type SignatureInput } from "./signature-input";
import { openSurface, type Surface } from "./surface";

type Props = {
  signature: SignatureInput;
  onSignature: (signature: SignatureInput) => void;
  width: number;
  height: number;
};

/** Shows the signature, drawn or typed, and accepts new strokes in draw mode. */
export function SignatureCanvas({ signature, onSignature, width, height }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [surface, setSurface] = useState<Surface | null>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const newSurface = openSurface(canvas.current, { width, height });
    setSurface(newSurface);
    return () => newSurface.close();
  }, [width, height]);
  useEffect(() => {
    surface?.show(signature, (strokes) => onSignature({ ...signature, strokes }));
  }, [surface, signature, onSignature]);

  return (
    <div className="signature-canvas" style={{ maxWidth: width }}>
      <canvas
        ref={canvas}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element cannot be drawn on
        role="img"
        aria-label={`Signature pad. ${describeSignature(signature)}`}
        style={{ aspectRatio: `${width} / ${height}` }}
      />
      {isEmpty(signature) && (
        <span aria-hidden="true">{signature.mode === "draw" ? "Sign here" : "Type above"}</span>
      )}
    </div>
  );
}
