import { useCallback, useEffect, useState } from "react";
import { Copies } from "./copies";
import { isEmbedded } from "./embedded";
import type { CallFunction } from "./functions";
import { Message } from "./message";
import type { RestRequest } from "./rest";
import type { Submission } from "./submission";
import { sessionWarning } from "./submit";

const LEAVE_DELAY = 2000;

type Props = {
  request: RestRequest;
  callFunction: CallFunction;
  signed: Submission["waiver"];
  leave: () => void;
};

/**
 * Confirms the signature, then opens the front page, unless the signer requests a copy first or there is a warning to
 * read. In a frame the receipt stays.
 */
export function Receipt({ request, callFunction, signed, leave }: Props) {
  const [warning, setWarning] = useState("");
  const [isStaying, setStaying] = useState(false);
  const mayLeave = !isStaying && !warning && !isEmbedded();
  useEffect(() => void sessionWarning(request, signed.session_id).then(setWarning), [request, signed]);
  useEffect(() => {
    if (!mayLeave) return undefined;
    const timer = setTimeout(leave, LEAVE_DELAY);
    return () => clearTimeout(timer);
  }, [mayLeave, leave]);
  const stay = useCallback(() => setStaying(true), []);

  return (
    <Message title="Waiver signed">
      <p>
        Thank you. Your signature on <bdi>{signed.template_name}</bdi> is stored.
      </p>
      {warning && <p role="alert">{warning}</p>}
      <Copies callFunction={callFunction} signed={signed} onInteraction={stay} />
      {/* Rendered from the start, because a link that appears later would move the buttons under the finger. */}
      {isEmbedded() ? <a href={location.href}>Next person to sign</a> : <a href="/">Done</a>}
    </Message>
  );
}
