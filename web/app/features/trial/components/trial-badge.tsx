import { Hourglass } from "lucide-react";
import { Badge } from "~/ui/badge";
import { useTrial } from "../api/trial";
import { guestBannerTone, timeLeft } from "../model";

export function TrialBadge() {
  const trial = useTrial();
  if (!trial) return null;
  return (
    <Badge tone={guestBannerTone(trial) ?? "forest"}>
      <Hourglass aria-hidden />
      {trial.isActive ? `Trial: ${timeLeft(trial.daysRemaining)}` : "Trial ended"}
    </Badge>
  );
}
