import { cx } from "class-variance-authority";
import { Check } from "lucide-react";
import { IN_PREPARATION, type Tier } from "~/content/plans";
import { Badge } from "~/ui/badge";
import { CheckList } from "~/ui/check-list";
import { Skeleton } from "~/ui/skeleton";
import { LinkButton } from "~/ui/link-button";

type Props = { tier: Tier; isCurrent: boolean; isCurrentPlanKnown: boolean; hasPlan: boolean };

export function PlanCard({ tier, isCurrent, isCurrentPlanKnown, hasPlan }: Props) {
  return (
    <article
      aria-label={`${tier.title} plan`}
      className={cx(
        "flex flex-col rounded-card border bg-surface p-5 sm:p-6",
        isCurrent ? "border-forest outline-1 outline-forest" : "border-line",
      )}
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{tier.title}</h2>
        {isCurrent && (
          <Badge tone="forest">
            <Check aria-hidden /> Current plan
          </Badge>
        )}
      </div>
      {tier.price && (
        <p className="mt-2 text-3xl font-semibold tracking-tight tabular-nums">
          ${tier.price.amount}
          <span className="text-base font-normal text-muted">/{tier.price.frequency}</span>
        </p>
      )}
      <CheckList
        items={tier.features}
        inPreparation={IN_PREPARATION}
        className="mt-4 mb-6 last:mb-0 gap-2 text-[0.9375rem]"
        itemClassName="gap-2.5"
      />
      {/* No plan is offered until the current one is known. */}
      {!isCurrentPlanKnown && <Skeleton className="mt-auto h-11 md:h-10" />}
      {isCurrentPlanKnown && !isCurrent && (
        <LinkButton to={tier.cta.link} variant={tier.isPopular ? "primary" : "secondary"} className="mt-auto">
          {hasPlan ? `Change to ${tier.title}` : `Choose ${tier.title}`}
        </LinkButton>
      )}
    </article>
  );
}
