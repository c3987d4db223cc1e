import { cx } from "class-variance-authority";
import { Skeleton } from "~/ui/skeleton";
import { useAllowance } from "../api/allowance";
import { usageSentence } from "../model";

/** How many waivers of this month's allowance have been used. */
export function Allowance() {
  const { data, isError } = useAllowance();
  // The count is not essential on this page, so an error is not shown.
  if (isError) return null;
  if (!data) return <Skeleton className="mt-4 h-6 max-w-sm" />;
  const share = data.covered === null ? 0 : Math.min(1, data.sent / data.covered);
  return (
    <div className="mt-4 max-w-sm text-sm">
      <p className="text-muted tabular-nums">Waivers: {usageSentence(data)}</p>
      {data.covered !== null && (
        <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
          <div
            className={cx("h-full rounded-full", share >= 0.9 ? "bg-ember" : "bg-forest")}
            style={{ width: `${Math.max(share * 100, data.sent > 0 ? 1 : 0)}%` }}
          />
        </div>
      )}
    </div>
  );
}
