import { cx } from "class-variance-authority";
import { Skeleton } from "~/ui/skeleton";
import { useAllowance } from "../api/allowance";
import { usageSentence } from "../model";

/** Shows how much of this month's allowance has been used. */
export function Allowance() {
  const { data, isError } = useAllowance();
  // The count is not essential on this page, so an error is not shown.
  if (isError) return null;
  if (!data) return <Skeleton className="mt-4 h-6 max-w-sm" />;
  const usedShare = data.covered === null ? 0 : Math.min(1, data.sent / data.covered);
  // From the first waiver on, a part of the bar is visible.
  const minWidthPercent = data.sent > 0 ? 1 : 0;
  return (
    <div className="mt-4 max-w-sm text-sm">
      <p className="text-muted tabular-nums">Waivers: {usageSentence(data)}</p>
      {data.covered !== null && (
        <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
          <div
            className={cx("h-full rounded-full", usedShare >= 0.9 ? "bg-ember" : "bg-forest")}
            style={{ width: `${Math.max(usedShare * 100, minWidthPercent)}%` }}
          />
        </div>
      )}
    </div>
  );
}
