import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { TitledCard } from "~/ui/titled-card";
import type { SettingsGroup } from "../settings-index";

/** Lists the settings in groups. Each entry leads to the place where it is changed. */
export function SettingsIndex({ groups }: { groups: SettingsGroup[] }) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      {groups.map((group) => (
        <Group key={group.title} {...group} />
      ))}
    </div>
  );
}

function Group({ title, entries }: SettingsGroup) {
  return (
    <TitledCard title={title} className="overflow-hidden" titleClassName="px-5 pt-4 pb-2">
      <ul className="divide-y divide-line border-t border-line">
        {entries.map(({ to, icon: Icon, title: name, text }) => (
          <li key={name}>
            <Link
              to={to}
              className="flex min-h-14 items-center gap-3.5 px-5 py-3 transition-colors hover:bg-sunken/60"
            >
              <Icon className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
              <span className="min-w-0 grow">
                <span className="block font-medium">{name}</span>
                <span dir="auto" className="block text-sm wrap-anywhere text-muted">
                  {text}
                </span>
              </span>
              <ChevronRight className="size-4.5 shrink-0 text-muted rtl:rotate-180" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}
