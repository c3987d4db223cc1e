import { cx } from "class-variance-authority";
import { CircleAlert } from "lucide-react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Skeleton } from "~/ui/skeleton";
import { useAllowance } from "../api/allowance";
import { useManageBilling } from "../api/manage";
import { monthUsed, nextStep, TITLES, type Subscription } from "../model";

/** What the company has, what comes next, and how far this month has come. */
export function CurrentPlan({ subscription }: { subscription: Subscription | null }) {
  const manage = useManageBilling();
  const isLate = subscription?.status === "past_due";
  return (
    <Card className="flex flex-col gap-5 p-5 sm:flex-row sm:items-start sm:p-6" aria-label="Your plan">
      <div className="min-w-0 grow">
        <p className="font-semibold">
          {subscription ? `You are on the ${TITLES[subscription.plan]} plan` : "You have no plan yet"}
        </p>
        <p className={cx("mt-0.5 flex gap-2", isLate ? "text-red-ink" : "text-ink-soft")}>
          {isLate && <CircleAlert className="mt-1 size-4 shrink-0" aria-hidden />}
          {subscription ? nextStep(subscription) : "Choose one below. Until then the Basic limit holds."}
        </p>
        <Allowance />
        {subscription?.provider === "sandbox" && (
          <p className="mt-3 text-sm text-ink-soft">
            Payments on this server are a sandbox: nothing is charged.
          </p>
        )}
      </div>
      {subscription && (
        <Button variant="secondary" busy={manage.isPending} onClick={() => manage.mutate()}>
          Manage subscription
        </Button>
      )}
    </Card>
  );
}

function Allowance() {
  const { data, isError } = useAllowance();
  // A count that cannot be fetched is not worth an error: the plan is what this page is about.
  if (isError) return null;
  if (!data) return <Skeleton className="mt-4 h-6 max-w-sm" />;
  const share = data.covered === null ? 0 : Math.min(1, data.sent / data.covered);
  return (
    <div className="mt-4 max-w-sm text-sm">
      <p className="text-ink-soft tabular-nums">Waivers: {monthUsed(data)}</p>
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
