import { Hourglass } from "lucide-react";
import { paths } from "~/paths";
import { Notice } from "~/ui/notice";
import { LinkButton } from "~/ui/link-button";
import { useTrial } from "../api/trial";
import { BASIC_PLAN, GUESTS_NEVER_PAY, guestBannerTone, timeLeft } from "../model";

export function GuestTrialBanner() {
  const trial = useTrial();
  const tone = trial && guestBannerTone(trial);
  if (!tone) return null;
  const title = tone === "red" ? "Your trial has ended" : `Trial: ${timeLeft(trial.daysRemaining)}`;
  return (
    <Notice
      tone={tone}
      icon={Hourglass}
      title={title}
      action={
        <LinkButton
          to={paths.checkout(BASIC_PLAN.cents, BASIC_PLAN.description)}
          variant="secondary"
          size="sm"
          className="sm:-my-1.5"
        >
          Subscribe
        </LinkButton>
      }
    >
      {GUESTS_NEVER_PAY}
    </Notice>
  );
}
