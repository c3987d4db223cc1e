import { Hourglass } from "lucide-react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { useTrial } from "../api/trial";
import { BASIC, guestBanner, timeLeft } from "../model";

export function GuestTrialBanner() {
  const trial = useTrial();
  const tone = trial && guestBanner(trial);
  if (!tone) return null;
  const title = tone === "red" ? "Your trial has ended" : `Trial: ${timeLeft(trial.daysRemaining)}`;
  return (
    <Notice
      tone={tone}
      icon={Hourglass}
      title={title}
      action={
        <Button asChild variant="secondary" size="sm" className="sm:-my-1.5">
          <Link to={paths.checkout(BASIC.cents, BASIC.description)}>Subscribe</Link>
        </Button>
      }
    >
      Signing waivers and reading those you signed stays free.
    </Notice>
  );
}
