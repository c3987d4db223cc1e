import { FilePenLine, FolderSearch, LayoutDashboard } from "lucide-react";
import { paths } from "~/paths";
import { NavigationEntry } from "./navigation-entry";
import { NavigationGroup } from "./navigation-group";
import { CONNECT_GROUP, HELP_GROUP } from "./navigation-groups";

export const MAIN_ENTRIES = [
  { to: paths.dashboard, label: "Dashboard", icon: LayoutDashboard },
  { to: paths.templates, label: "Add/Edit Waivers", icon: FilePenLine },
  { to: paths.directory, label: "Waiver Management", icon: FolderSearch },
];

export function CompanyNavigation({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-1">
        {MAIN_ENTRIES.map((entry) => (
          <NavigationEntry key={entry.to} {...entry} onNavigate={onNavigate} />
        ))}
        <NavigationGroup {...CONNECT_GROUP} onNavigate={onNavigate} />
        <NavigationGroup {...HELP_GROUP} onNavigate={onNavigate} />
      </ul>
    </nav>
  );
}
