import { Hourglass } from "lucide-react";
import type { Tier } from "~/content/plans";
import { Card } from "~/ui/card";
import { Notice } from "~/ui/notice";
import { SkeletonLines } from "~/ui/skeleton";
import { useSubscription } from "../api/subscription";
import { usePaymentConfirmation } from "../use-payment-confirmation";
import { Allowance } from "./allowance";
import { CurrentPlan } from "./current-plan";
import { PlanCard } from "./plan-card";
import { isNotLoaded, LoadFailure } from "./load-failure";

export function Pricing({ tiers }: { tiers: Tier[] }) {
  const isConfirming = usePaymentConfirmation();
  const query = useSubscription(isConfirming);
  const subscription = query.data;
  if (isNotLoaded(query)) {
    return <LoadFailure query={query} subject="Your plan" title="Your plan could not be loaded" />;
  }
  return (
    <div className="flex flex-col gap-5">
      {isConfirming && (
        <div role="status">
          <Notice tone="amber" icon={Hourglass} title="Your payment is being confirmed.">
            This page shows your plan as soon as the payment provider has confirmed it. You do not have to
            wait here.
          </Notice>
        </div>
      )}
      {subscription === undefined ? (
        <LoadingPlan />
      ) : (
        <CurrentPlan subscription={subscription}>
          <Allowance />
        </CurrentPlan>
      )}
      <div className="grid gap-5 md:grid-cols-2">
        {tiers.map((tier) => (
          <PlanCard
            key={tier.title}
            tier={tier}
            isCurrent={subscription?.plan === tier.title.toLowerCase()}
            isCurrentPlanKnown={subscription !== undefined}
            hasPlan={Boolean(subscription)}
          />
        ))}
      </div>
    </div>
  );
}

function LoadingPlan() {
  return (
    <Card>
      <SkeletonLines
        lines={["h-5 w-48", "mt-2.5 h-4 max-w-80", "mt-5 h-6 max-w-sm"]}
        className="p-5 sm:p-6"
      />
    </Card>
  );
}
