import { useEffect, useState } from "react";
import { writeCache, readCache } from "~/lib/browser-cache";
import { useFirstSteps, useHideFirstSteps } from "../api/first-steps";
import { stepsOf } from "../model";
import { StepsCard } from "./steps-card";

/** What was sent and signed is undefined until it is known. */
type Props = { personId: string; hasSent: boolean | undefined; hasSigned: boolean | undefined };

/** For a company that has just been named. Whoever has done it all never sees it, unless it happens before their eyes. */
export function FirstSteps({ personId, hasSent, hasSigned }: Props) {
  const { data: facts, isError } = useFirstSteps(personId);
  const hide = useHideFirstSteps(personId);
  const [wasOpen, setWasOpen] = useState(false);
  const [wasHereBefore] = useState(() => readCache("firstSteps") === true);
  const steps =
    facts && hasSent !== undefined && hasSigned !== undefined
      ? stepsOf({ hasTemplate: facts.hasTemplate, hasSent, hasSigned })
      : null;
  const isLeft = steps?.some(({ isDone }) => !isDone) && !facts?.isHidden;
  if (isLeft && !wasOpen) setWasOpen(true);
  const isShown = steps && wasOpen && !facts?.isHidden;
  useEffect(() => {
    if (steps) writeCache("firstSteps", isShown);
  });

  if (isShown) return <StepsCard steps={steps} onHide={() => hide.mutate()} />;
  // It is advice: until it is known to be needed, and where it cannot be fetched, the page goes without.
  return !steps && !isError && wasHereBefore && <Place />;
}

const FRESH = stepsOf({ hasTemplate: false, hasSent: false, hasSigned: false });

/** Where it stood last time on this device, so that nothing moves when it comes. */
function Place() {
  return (
    <div aria-hidden inert className="[&>section>*]:invisible">
      <StepsCard steps={FRESH} onHide={() => {}} />
    </div>
  );
}
