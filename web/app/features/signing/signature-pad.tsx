import { useId, useState } from "react";
import { isCanvasReadable } from "./png-encoder";
import { SignatureCanvas } from "./signature-canvas";
import {
  clearSignature,
  describeSignature,
  isEmpty,
  undoStroke,
  type SignatureInput,
} from "./signature-input";
import "./signature-pad.css";

type SignatureProps = {
  signature: SignatureInput;
  onSignature: (signature: SignatureInput) => void;
};

type Props = SignatureProps & {
  width?: number;
  height?: number;
  /** If there is an error about the signature, this is the id of its message. */
  problemId?: string | undefined;
  /** Says whose signature it is, if there are several. */
  legend?: string;
};

export function SignaturePad({
  width = 500,
  height = 200,
  problemId,
  legend = "Signature",
  ...props
}: Props) {
  const group = useId();
  const [canType] = useState(isCanvasReadable);
  const { signature } = props;
  return (
    <fieldset className="signature" aria-describedby={problemId}>
      <legend>{legend}</legend>
      <div className="signature-modes">
        <ModeRadio mode="draw" label="Draw" group={group} {...props} />
        {canType && <ModeRadio mode="type" label="Type" group={group} {...props} />}
        <Corrections {...props} />
      </div>
      {signature.mode === "type" && <TypedName {...props} />}
      <SignatureCanvas {...props} width={width} height={height} />
      {!canType && <p>Typed signatures do not work in this browser. Please draw yours.</p>}
      <output>{describeSignature(signature)}</output>
    </fieldset>
  );
}

type ModeProps = SignatureProps & { mode: SignatureInput["mode"]; label: string; group: string };

function ModeRadio({ mode, label, group, signature, onSignature }: ModeProps) {
  return (
    <label className="signature-mode">
      <input
        type="radio"
        name={group}
        checked={signature.mode === mode}
        onChange={() => onSignature({ ...signature, mode })}
      />
      <span>{label}</span>
    </label>
  );
}

function Corrections({ signature, onSignature }: SignatureProps) {
  if (isEmpty(signature)) return null;
  return (
    <div className="signature-corrections">
      {signature.mode === "draw" && (
        <button type="button" className="quiet" onClick={() => onSignature(undoStroke(signature))}>
          Undo
        </button>
      )}
      <button type="button" className="quiet" onClick={() => onSignature(clearSignature(signature))}>
        Clear
      </button>
    </div>
  );
}

function TypedName({ signature, onSignature }: SignatureProps) {
  return (
    <label className="field signature-typed">
      <span>Type your name as your signature</span>
      <input
        value={signature.typed}
        dir="auto"
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onSignature({ ...signature, typed: event.target.value })}
      />
    </label>
  );
}
