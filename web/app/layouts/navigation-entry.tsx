import { cx } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import { NavLink } from "react-router";
import { paths } from "~/paths";

export type Entry = { to: string; label: string; icon: LucideIcon };
type Props = Entry & { onNavigate: (() => void) | undefined };

export const entryStyles =
  "flex h-11 w-full items-center gap-3 rounded-control px-3 text-[0.9375rem] font-medium transition-colors";
export const inactiveStyles = "text-muted hover:bg-sunken hover:text-foreground";

export function NavigationEntry({ to, label, icon: Icon, onNavigate }: Props) {
  return (
    <li>
      <NavLink
        // All paths start with that of the dashboard. Without `end`, its entry would be active on every page.
        end={to === paths.dashboard}
        to={to}
        onClick={onNavigate}
        className={({ isActive }) =>
          cx(entryStyles, isActive ? "bg-forest-soft text-forest-text" : inactiveStyles)
        }
      >
        <Icon className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />
        {label}
      </NavLink>
    </li>
  );
}
