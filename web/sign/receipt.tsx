import { useCallback, useEffect, useState } from "react";
import { Copies } from "./copies";
import { isEmbedded } from "./embedded";
import type { CallFunction } from "./functions";
import { Message } from "./message";
import type { RestRequest } from "./rest";
import type { Submission } from "./submission";
import { warningIfSessionIsUnsigned } from "./submit";

const LEAVE_DELAY_MS = 2000;

type Props = {
  request: RestRequest;
  callFunction: CallFunction;
  waiver: Submission["waiver"];
  leave: () => void;
};

/**
 * Confirms the signature and then opens the front page. The receipt stays open if it is in a frame, if the signer uses
 * one of its buttons, or if there is a warning to read.
 */
export function Receipt({ request, callFunction, waiver, leave }: Props) {
  const [warning, setWarning] = useState("");
  const [isStaying, setStaying] = useState(false);
  const others = minorNames(waiver.participants);
  const mayLeave = !isStaying && !warning && !isEmbedded();
  useEffect(
    () => void warningIfSessionIsUnsigned(request, waiver.session_id).then(setWarning),
    [request, waiver],
  );
  useEffect(() => {
    if (!mayLeave) return undefined;
    const timer = setTimeout(leave, LEAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [mayLeave, leave]);
  const stay = useCallback(() => setStaying(true), []);

  return (
    <Message title="Waiver signed">
      <p>
        Thank you. Your signature on <bdi>{waiver.template_name}</bdi> is stored.
      </p>
      {others.length > 0 && (
        <p>
          It also covers <bdi>{others.join(", ")}</bdi>.
        </p>
      )}
      {warning && <p role="alert">{warning}</p>}
      <Copies callFunction={callFunction} waiver={waiver} onInteraction={stay} />
      {/* The link is there from the start: the page is centered, so a later link would move the buttons above it. */}
      {isEmbedded() ? <a href={location.href}>Next person to sign</a> : <a href="/">Done</a>}
    </Message>
  );
}

/** Returns the names of the children whom the signature covers. */
function minorNames(participants: object | undefined): string[] {
  return Array.isArray(participants) ? participants.map(({ name }) => name) : [];
}
