import { useId, useState } from "react";
import { cleared, described, isEmpty, withoutLastStroke, type Ink } from "./ink";
import { Paper } from "./paper";
import { readsTruly } from "./plain-picture";
import "./signature-pad.css";

type Props = {
  ink: Ink;
  onInk: (ink: Ink) => void;
  width?: number;
  height?: number;
  /** The text that says what is wrong with the signature, when something is. */
  problemId?: string | undefined;
};

export function SignaturePad({ ink, onInk, width = 500, height = 200, problemId }: Props) {
  const group = useId();
  const [canType] = useState(readsTruly);
  return (
    <fieldset className="signature" aria-describedby={problemId}>
      <legend>Signature</legend>
      <div className="signature-ways">
        <Way mode="draw" label="Draw" group={group} ink={ink} onInk={onInk} />
        {canType && <Way mode="type" label="Type" group={group} ink={ink} onInk={onInk} />}
        <Corrections ink={ink} onInk={onInk} />
      </div>
      {ink.mode === "type" && <TypedName ink={ink} onInk={onInk} />}
      <Paper ink={ink} onInk={onInk} width={width} height={height} />
      {!canType && <p>This browser keeps pictures of letters to itself, so please draw.</p>}
      <output>{described(ink)}</output>
    </fieldset>
  );
}

type Inked = { ink: Ink; onInk: (ink: Ink) => void };

type WayProps = Inked & { mode: Ink["mode"]; label: string; group: string };

function Way({ mode, label, group, ink, onInk }: WayProps) {
  return (
    <label className="signature-way">
      <input type="radio" name={group} checked={ink.mode === mode} onChange={() => onInk({ ...ink, mode })} />
      <span>{label}</span>
    </label>
  );
}

function Corrections({ ink, onInk }: Inked) {
  if (isEmpty(ink)) return null;
  return (
    <div className="signature-corrections">
      {ink.mode === "draw" && (
        <button type="button" className="quiet" onClick={() => onInk(withoutLastStroke(ink))}>
          Undo
        </button>
      )}
      <button type="button" className="quiet" onClick={() => onInk(cleared(ink))}>
        Clear
      </button>
    </div>
  );
}

function TypedName({ ink, onInk }: Inked) {
  return (
    <label className="field signature-typed">
      <span>Type your name as your signature</span>
      <input
        value={ink.typed}
        dir="auto"
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onInk({ ...ink, typed: event.target.value })}
      />
    </label>
  );
}
