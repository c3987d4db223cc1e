import { ALL_TIERS, IN_PREPARATION_NOTE } from "~/content/plans";
import { Section } from "../components/section";
import { TierCard } from "../components/tier-card";

export function PricingSection() {
  return (
    <div className="border-y border-line bg-sunken/50">
      <Section
        id="pricing"
        title="Pay for waivers, not for seats"
        lead="Start with seven free days. Guests never pay, and never need an account."
      >
        <div className="grid gap-8 lg:grid-cols-3 lg:gap-6">
          {ALL_TIERS.map((tier) => (
            <TierCard key={tier.title} tier={tier} />
          ))}
        </div>
        <p className="mt-6 text-sm text-muted">{IN_PREPARATION_NOTE}</p>
      </Section>
    </div>
  );
}
