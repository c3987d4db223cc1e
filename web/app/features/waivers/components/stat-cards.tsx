import { Clock, FileText, PenLine, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Skeleton } from "~/ui/skeleton";
import type { Overview } from "../api/overview";
import type { StatusFilter } from "../model";

/** Placeholders are shown until the overview is loaded. `isUnknown` means that loading failed, and dashes are shown. */
type Props = { overview: Overview | undefined; isUnknown: boolean };

export function StatCards({ overview, isUnknown }: Props) {
  return (
    <>
      <dl className="grid grid-cols-3 gap-3 sm:gap-5">
        <Stat icon={FileText} status="all" label="Total" value={overview?.total} isUnknown={isUnknown} />
        <Stat icon={PenLine} status="signed" label="Signed" value={overview?.signed} isUnknown={isUnknown} />
        <Stat icon={Clock} status="pending" label="Pending" value={overview?.pending} isUnknown={isUnknown} />
      </dl>
      {overview && <OtherCounts overview={overview} />}
    </>
  );
}

const OTHER_STATUSES = ["expired", "cancelled", "revoked"] as const;

/** Says how many expired, cancelled and revoked waivers the total includes. */
function OtherCounts({ overview }: { overview: Overview }) {
  const statuses = OTHER_STATUSES.filter((status) => overview[status] > 0);
  if (statuses.length === 0) return null;
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-x-3 text-sm text-muted">
      The total includes
      {statuses.map((status) => (
        <Link
          key={status}
          to={paths.directoryStatus(status)}
          className="inline-flex min-h-6 items-center underline underline-offset-4 hover:text-foreground"
        >
          {overview[status].toLocaleString("en")} {status}
        </Link>
      ))}
    </p>
  );
}

type StatProps = {
  icon: LucideIcon;
  status: StatusFilter;
  label: string;
  value: number | undefined;
  isUnknown: boolean;
};

/** The whole card is a link to the rows that it counts. */
function Stat({ icon: Icon, status, label, value, isUnknown }: StatProps) {
  return (
    <div className="relative rounded-card border border-line bg-surface p-4 transition-colors has-[a:hover]:bg-sunken/50 sm:p-5">
      <dt className="flex items-center gap-2 text-sm text-muted">
        <Icon className="size-4.5 text-forest max-sm:hidden" aria-hidden />
        {label}
      </dt>
      <dd className="mt-1.5 text-[1.75rem] leading-9 font-semibold tracking-tight tabular-nums sm:text-3xl">
        {value === undefined ? (
          <>{isUnknown ? "–" : <Skeleton className="h-9 w-12" />}</>
        ) : (
          <Link
            to={paths.directoryStatus(status)}
            aria-label={`${value.toLocaleString("en")} ${label.toLowerCase()}`}
            className="rounded-card outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-offset-2"
          >
            {value.toLocaleString("en")}
          </Link>
        )}
      </dd>
    </div>
  );
}
