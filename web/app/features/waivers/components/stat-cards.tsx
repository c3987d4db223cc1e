import { Clock, FileText, PenLine, type LucideIcon } from "lucide-react";
import { Skeleton } from "~/ui/skeleton";
import type { Overview } from "../api/overview";

/** Until the overview is loaded, there are placeholders. With `isUnknown` loading has failed, and there are dashes. */
type Props = { overview: Overview | undefined; isUnknown: boolean };

export function StatCards({ overview, isUnknown }: Props) {
  return (
    <dl className="grid grid-cols-3 gap-3 sm:gap-5">
      <Stat icon={FileText} label="Total" value={overview?.total} isUnknown={isUnknown} />
      <Stat icon={PenLine} label="Signed" value={overview?.signed} isUnknown={isUnknown} />
      <Stat icon={Clock} label="Pending" value={overview?.pending} isUnknown={isUnknown} />
    </dl>
  );
}

type StatProps = { icon: LucideIcon; label: string; value: number | undefined; isUnknown: boolean };

function Stat({ icon: Icon, label, value, isUnknown }: StatProps) {
  return (
    <div className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <dt className="flex items-center gap-2 text-sm text-muted">
        <Icon className="size-4.5 text-forest max-sm:hidden" aria-hidden />
        {label}
      </dt>
      <dd className="mt-1.5 text-[1.75rem] leading-9 font-semibold tracking-tight tabular-nums sm:text-3xl">
        {value?.toLocaleString("en") ?? (isUnknown ? "–" : <Skeleton className="h-9 w-12" />)}
      </dd>
    </div>
  );
}
