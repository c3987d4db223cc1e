import { useTrial } from "../api/trial";
import { GUESTS_NEVER_PAY, guestBannerTone } from "../model";
import { TrialBadge } from "./trial-badge";

/** Says that guests never pay, unless there is a banner, which says it too. */
export function GuestTrialBadge() {
  const trial = useTrial();
  return (
    <>
      <TrialBadge />
      {trial && !guestBannerTone(trial) && (
        <p className="mt-1 text-xs text-muted sm:max-lg:max-w-52">{GUESTS_NEVER_PAY}</p>
      )}
    </>
  );
}
