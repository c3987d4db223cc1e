import { BellRing, CreditCard, LogOut, Moon, Plus, Settings, Sun, UserRound } from "lucide-react";
import { useNavigate } from "react-router";
import { useSignOut } from "~/features/account/api/sign-out";
import { CommandButton } from "~/features/command/components/command-button";
import { chooseTheme } from "~/lib/theme";
import { paths } from "~/paths";
import { MAIN_ENTRIES } from "./company-navigation";
import type { Entry } from "./navigation-entry";
import { CONNECT_GROUP, HELP_GROUP } from "./navigation-groups";

const PAGES: Entry[] = [
  ...MAIN_ENTRIES,
  { to: paths.profile, label: "Profile", icon: UserRound },
  { to: paths.billing, label: "Billing", icon: CreditCard },
  { to: paths.settings, label: "Settings", icon: Settings },
  ...CONNECT_GROUP.entries,
  ...HELP_GROUP.entries,
];

export function CompanyCommands() {
  const navigate = useNavigate();
  const signOut = useSignOut(paths.home);
  return (
    <CommandButton
      pages={PAGES.map(({ to, label, icon }) => ({ label, icon, run: () => void navigate(to) }))}
      actions={[
        { label: "Create Waiver", icon: Plus, run: () => void navigate(paths.templates) },
        { label: "Send Reminders", icon: BellRing, run: () => void navigate(paths.reminders) },
        { label: "Light appearance", icon: Sun, run: () => chooseTheme("light") },
        { label: "Dark appearance", icon: Moon, run: () => chooseTheme("dark") },
        { label: "Log out", icon: LogOut, run: () => signOut.mutate() },
      ]}
      onSelectWaiver={(sessionId) => void navigate(paths.waiver(sessionId))}
      onShowAll={(term) => void navigate(paths.directorySearch(term))}
    />
  );
}
