import { useCallback, useEffect, useState } from "react";
import { Copies } from "./copies";
import { sessionWarning, type Submission } from "./deliver";
import { isEmbedded } from "./embedded";
import type { Call } from "./functions";
import { Message } from "./message";
import type { Ask } from "./rest";

const STAY = 2000;

type Props = {
  ask: Ask;
  call: Call;
  signed: Submission["waiver"];
  leave: () => void;
};

/**
 * Says that it is done and goes home by itself, unless the signer wants their copy first or has a warning to read.
 * In a frame it stays.
 */
export function Receipt({ ask, call, signed, leave }: Props) {
  const [warning, setWarning] = useState("");
  const [isStaying, setStaying] = useState(false);
  const mayLeave = !isStaying && !warning && !isEmbedded();
  useEffect(() => void sessionWarning(ask, signed.session_id).then(setWarning), [ask, signed]);
  useEffect(() => {
    if (!mayLeave) return undefined;
    const timer = setTimeout(leave, STAY);
    return () => clearTimeout(timer);
  }, [mayLeave, leave]);
  const stay = useCallback(() => setStaying(true), []);

  return (
    <Message title="Waiver signed">
      <p>
        Thank you. Your signature on <bdi>{signed.template_name}</bdi> is stored.
      </p>
      {warning && <p role="alert">{warning}</p>}
      <Copies call={call} signed={signed} onWanted={stay} />
      {/* Always there: appearing under a finger, it would move the button away from it. */}
      {isEmbedded() ? <a href={location.href}>Next person to sign</a> : <a href="/">Done</a>}
    </Message>
  );
}
