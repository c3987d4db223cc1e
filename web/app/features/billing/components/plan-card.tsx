import { cx } from "class-variance-authority";
import { Check } from "lucide-react";
import { Link } from "react-router";
import type { Tier } from "~/content/plans";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Skeleton } from "~/ui/skeleton";

type Props = { tier: Tier; isCurrent: boolean; isKnown: boolean; hasPlan: boolean };

export function PlanCard({ tier, isCurrent, isKnown, hasPlan }: Props) {
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
      <ul className="mt-4 mb-6 grid last:mb-0 gap-2 text-[0.9375rem]">
        {tier.features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check className="mt-1 size-4 shrink-0 text-forest" strokeWidth={2.5} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
      {/* No plan is offered until the current one is known. */}
      {!isKnown && <Skeleton className="mt-auto h-11 md:h-10" />}
      {isKnown && !isCurrent && (
        <Button asChild variant={tier.isPopular ? "primary" : "secondary"} className="mt-auto">
          <Link to={tier.cta.link}>{hasPlan ? `Change to ${tier.title}` : `Choose ${tier.title}`}</Link>
        </Button>
      )}
    </article>
  );
}
