import { cx } from "class-variance-authority";
import { FilePenLine, FolderSearch, LayoutDashboard } from "lucide-react";
import { NavLink } from "react-router";
import { paths } from "~/paths";

const ENTRIES = [
  { to: paths.dashboard, label: "Dashboard", icon: LayoutDashboard },
  { to: paths.templates, label: "Add/Edit Waivers", icon: FilePenLine },
  { to: paths.directory, label: "Waiver Management", icon: FolderSearch },
];

export function CompanyNavigation({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-1">
        {ENTRIES.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <NavLink
              end
              to={to}
              onClick={onNavigate}
              className={({ isActive }) =>
                cx(
                  "flex h-11 items-center gap-3 rounded-control px-3 text-[0.9375rem] font-medium transition-colors",
                  isActive
                    ? "bg-forest-soft text-forest-ink"
                    : "text-ink-soft hover:bg-sunken hover:text-ink",
                )
              }
            >
              <Icon className="size-5" strokeWidth={1.75} aria-hidden />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
