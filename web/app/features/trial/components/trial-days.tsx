import { useLocation } from "react-router";
import { paths } from "~/paths";
import { useTrial } from "../api/trial";
import { TrialBadge } from "./trial-badge";

const PAGES: string[] = [paths.dashboard, paths.billing, paths.settings];

/** Shows a company on its dashboard and on the billing page how many days of the trial remain, for as long as it runs. */
export default function TrialDays() {
  const trial = useTrial();
  const { pathname } = useLocation();
  if (!trial?.isActive || !PAGES.includes(pathname)) return null;
  return (
    <p className="mb-4 flex justify-end">
      <TrialBadge />
    </p>
  );
}
