import { cx } from "class-variance-authority";
import { IN_PREPARATION, type Tier } from "~/content/plans";
import { Button } from "~/ui/button";
import { CheckList } from "~/ui/check-list";

export function TierCard({ tier, heading: Heading = "h3" }: { tier: Tier; heading?: "h2" | "h3" }) {
  return (
    <article
      className={cx(
        "relative flex flex-col rounded-2xl border bg-surface p-7 sm:p-8",
        tier.isPopular ? "border-forest shadow-lift outline-1 outline-forest" : "border-line",
      )}
    >
      {tier.isPopular && (
        <p className="absolute -top-3.5 start-7 rounded-full bg-forest px-3.5 py-1 text-sm font-medium text-on-forest">
          Simple &amp; Transparent
        </p>
      )}
      <Heading className="text-xl font-semibold">{tier.title}</Heading>
      <Price price={tier.price} />
      <p className="mt-4 text-muted">{tier.description}</p>
      <Button asChild size="lg" variant={tier.isPopular ? "primary" : "secondary"} className="mt-6">
        <a href={tier.cta.link} aria-label={`${tier.cta.text}: ${tier.title}`}>
          {tier.cta.text}
        </a>
      </Button>
      <CheckList
        items={tier.features}
        inPreparation={IN_PREPARATION}
        className="mt-7 gap-3 border-t border-line pt-6"
        itemClassName="gap-3"
      />
    </article>
  );
}

function Price({ price }: Pick<Tier, "price">) {
  if (!price) {
    return <p className="mt-3 font-display text-4xl leading-12 font-bold tracking-tight">Custom</p>;
  }
  return (
    <p className="mt-3 font-display text-5xl font-bold tracking-tight">
      ${price.amount}
      <span className="font-sans text-base font-normal tracking-normal text-muted">/{price.frequency}</span>
    </p>
  );
}
