import { Clock, FileText, PenLine, type LucideIcon } from "lucide-react";
import { Skeleton } from "~/ui/skeleton";
import type { Overview } from "../api/overview";

type Props = { overview: Overview | undefined };

export function StatCards({ overview }: Props) {
  return (
    <dl className="grid grid-cols-3 gap-3 sm:gap-5">
      <Stat icon={FileText} label="Total" value={overview?.total} />
      <Stat icon={PenLine} label="Signed" value={overview?.signed} />
      <Stat icon={Clock} label="Pending" value={overview?.pending} />
    </dl>
  );
}

function Stat({ icon: Icon, label, value }: { icon: LucideIcon; label: string; value: number | undefined }) {
  return (
    <div className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <dt className="flex items-center gap-2 text-sm text-ink-soft">
        <Icon className="size-4.5 text-forest max-sm:hidden" aria-hidden />
        {label}
      </dt>
      <dd className="mt-1.5 text-[1.75rem] leading-9 font-semibold tracking-tight tabular-nums sm:text-3xl">
        {value?.toLocaleString("en") ?? <Skeleton className="h-9 w-12" />}
      </dd>
    </div>
  );
}
