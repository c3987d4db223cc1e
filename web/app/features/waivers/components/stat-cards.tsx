import { Clock, FileText, PenLine, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Skeleton } from "~/ui/skeleton";
import type { Overview } from "../api/overview";

/** Until the overview is loaded, there are placeholders. With `isUnknown` loading has failed, and there are dashes. */
type Props = { overview: Overview | undefined; isUnknown: boolean };

export function StatCards({ overview, isUnknown }: Props) {
  return (
    <>
      <dl className="grid grid-cols-3 gap-3 sm:gap-5">
        <Stat icon={FileText} label="Total" value={overview?.total} isUnknown={isUnknown} />
        <Stat icon={PenLine} label="Signed" value={overview?.signed} isUnknown={isUnknown} />
        <Stat icon={Clock} label="Pending" value={overview?.pending} isUnknown={isUnknown} />
      </dl>
      {overview && <OtherCounts overview={overview} />}
    </>
  );
}

const OTHER_STATUSES = ["expired", "cancelled", "revoked"] as const;

/** The total also contains waivers that no one is waiting for any more. */
function OtherCounts({ overview }: { overview: Overview }) {
  const statuses = OTHER_STATUSES.filter((status) => overview[status] > 0);
  if (statuses.length === 0) return null;
  return (
    <p className="-mt-3 flex flex-wrap gap-x-3 text-sm text-muted">
      The total includes
      {statuses.map((status) => (
        <Link
          key={status}
          to={`${paths.directory}?status=${status}`}
          className="underline underline-offset-4 hover:text-foreground"
        >
          {overview[status].toLocaleString("en")} {status}
        </Link>
      ))}
    </p>
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
