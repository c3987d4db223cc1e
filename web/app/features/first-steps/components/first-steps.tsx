import { useEffect, useState } from "react";
import { writeCache, readCache } from "~/lib/browser-cache";
import { useFirstSteps, useHideFirstSteps } from "../api/first-steps";
import { firstSteps } from "../model";
import { StepsCard } from "./steps-card";

/** `hasSent` and `hasSigned` are undefined until the numbers of the dashboard are loaded. */
type Props = { userId: string; hasSent: boolean | undefined; hasSigned: boolean | undefined };

/** Guides a new company. If all steps are done when the page opens, the list is not shown at all. */
export function FirstSteps({ userId, hasSent, hasSigned }: Props) {
  const { data: progress, isError } = useFirstSteps(userId);
  const hide = useHideFirstSteps(userId);
  // The list stays visible when its last step is done while the page is open.
  const [hadOpenSteps, setHadOpenSteps] = useState(false);
  const [wasShownBefore] = useState(() => readCache("firstSteps") === true);
  const steps =
    progress && hasSent !== undefined && hasSigned !== undefined
      ? firstSteps({ hasTemplate: progress.hasTemplate, hasSent, hasSigned })
      : null;
  const hasOpenSteps = steps?.some(({ isDone }) => !isDone) && !progress?.isHidden;
  if (hasOpenSteps && !hadOpenSteps) setHadOpenSteps(true);
  const isShown = steps && hadOpenSteps && !progress?.isHidden;
  // The next visit reserves the space of the list if the list was shown at the end of this visit.
  useEffect(() => {
    if (steps) writeCache("firstSteps", isShown);
  });

  if (isShown) return <StepsCard steps={steps} onHide={() => hide.mutate()} />;
  // The list is optional. While it is loading, at most its space is reserved, and after an error nothing is shown.
  return !steps && !isError && wasShownBefore && <ReservedSpace />;
}

const INITIAL_STEPS = firstSteps({ hasTemplate: false, hasSent: false, hasSigned: false });

/** Reserves the space if the list was shown last time, so that the layout does not shift. */
function ReservedSpace() {
  return (
    <div aria-hidden inert className="[&>section>*]:invisible">
      <StepsCard steps={INITIAL_STEPS} onHide={() => {}} />
    </div>
  );
}
