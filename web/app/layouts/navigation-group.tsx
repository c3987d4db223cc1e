import { cx } from "class-variance-authority";
import { ChevronDown, type LucideIcon } from "lucide-react";
import { useId, useState } from "react";
import { useLocation } from "react-router";
import { entryStyles, NavigationEntry, inactiveStyles, type Entry } from "./navigation-entry";

type Props = { label: string; icon: LucideIcon; entries: Entry[]; onNavigate: (() => void) | undefined };

/** The group starts closed, unless it contains the current page. */
export function NavigationGroup({ label, icon: Icon, entries, onNavigate }: Props) {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(() => entries.some(({ to }) => to === pathname));
  const id = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={cx(entryStyles, inactiveStyles)}
      >
        <Icon className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />
        <span className="grow text-start">{label}</span>
        <ChevronDown className={cx("size-4 transition-transform", open && "rotate-180")} aria-hidden />
      </button>
      <ul id={id} hidden={!open} className="mt-1 flex flex-col gap-1 ps-3 [&[hidden]]:hidden">
        {entries.map((entry) => (
          <NavigationEntry key={entry.to} {...entry} onNavigate={onNavigate} />
        ))}
      </ul>
    </li>
  );
}
