import { useLocation } from "react-router";
import { paths } from "~/paths";
import { useTrial } from "../api/trial";
import { TrialBadge } from "./trial-badge";

const PAGES: string[] = [paths.dashboard, paths.billing, paths.settings];

/** Shows a company how many days of its trial remain: on the dashboard, the billing page and the settings page. */
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
