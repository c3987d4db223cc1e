import { useTrial } from "../api/trial";
import { GUESTS_NEVER_PAY, guestBannerTone } from "../model";
import { TrialBadge } from "./trial-badge";

/** Shows the trial, and that guests never pay. If there is a banner, the banner says this instead. */
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
