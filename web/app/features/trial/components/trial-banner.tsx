import { Hourglass } from "lucide-react";
import { useLocation } from "react-router";
import { paths } from "~/paths";
import { Notice } from "~/ui/notice";
import { LinkButton } from "~/ui/link-button";
import { useTrial } from "../api/trial";

/** After the trial has ended, suggests a subscription. On the billing page itself, the banner has no link to it. */
export default function TrialBanner() {
  const trial = useTrial();
  const { pathname } = useLocation();
  if (!trial || trial.isActive) return null;
  return (
    <Notice
      tone="red"
      icon={Hourglass}
      title="Your free trial has ended"
      action={
        pathname !== paths.billing && (
          <LinkButton to={paths.billing} variant="secondary" size="sm" className="sm:-my-1.5">
            Subscribe
          </LinkButton>
        )
      }
    >
      Please subscribe to go on using Cairn. Nothing is locked: your waivers stay here, and your guests can
      sign.
    </Notice>
  );
}
