import { IN_PREPARATION_NOTE, TIERS_WITH_PRICE } from "~/content/plans";
import { PRICING_FAQ } from "~/content/pricing-faq";
import { publicHead, SITE_URL } from "~/lib/head";
import { CallToAction } from "~/features/marketing/components/call-to-action";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Questions } from "~/features/marketing/components/questions";
import { Section } from "~/features/marketing/components/section";
import { StructuredData } from "~/features/marketing/components/structured-data";
import { TierCard } from "~/features/marketing/components/tier-card";

export const meta = () =>
  publicHead({
    title: "Pricing · Cairn",
    description:
      "Two plans: Basic for $20 a month, Professional for $40. Seven free days, no credit card required.",
    path: "/pricing",
  });

const STRUCTURED_DATA = {
  "@type": "SoftwareApplication",
  name: "Cairn",
  applicationCategory: "BusinessApplication",
  operatingSystem: "Any, in the browser",
  url: `${SITE_URL}/pricing`,
  offers: TIERS_WITH_PRICE.map(({ title, price }) => ({
    "@type": "Offer",
    name: title,
    price: price?.amount.toFixed(2),
    priceCurrency: price?.currency,
  })),
};

const IN_BOTH_PLANS = [
  "Guests sign free, without an account",
  "Every signature becomes a sealed PDF, and the signer gets a copy by email",
  "Reminders for guests who have not signed",
  "Anyone can check a signed document, without an account",
  "Your records stay readable and downloadable after your plan has ended",
];

function InBothPlans() {
  return (
    <aside className="md:col-span-2 lg:col-span-1 lg:ps-4 lg:pt-8">
      <h2 className="text-xl font-semibold">In both plans</h2>
      <ul className="mt-5 grid gap-3">
        {IN_BOTH_PLANS.map((line) => (
          <li key={line} className="border-s-2 border-forest ps-3.5 text-muted">
            {line}
          </li>
        ))}
      </ul>
    </aside>
  );
}

export default function Pricing() {
  return (
    <>
      <PageHero
        seed="plateau"
        title="Two plans, both complete"
        lead="The same signatures and the same sealed records in both. Today the plans differ in one thing: how many waivers you can send each month."
      />
      <section aria-label="Plans" className="mx-auto max-w-6xl px-4 py-14 sm:px-6 sm:py-18">
        <div className="grid gap-9 md:grid-cols-2 md:gap-7 lg:grid-cols-[1fr_1fr_0.8fr]">
          {TIERS_WITH_PRICE.map((tier) => (
            <TierCard key={tier.title} tier={tier} heading="h2" />
          ))}
          <InBothPlans />
        </div>
        <p className="mt-8 max-w-2xl text-sm text-muted">
          {IN_PREPARATION_NOTE} Text messages are sent where the operator of the service has set up an SMS
          gateway.
        </p>
        <StructuredData data={STRUCTURED_DATA} />
      </section>
      <Section title="Before you choose" className="pt-6 sm:pt-8">
        <Questions questions={PRICING_FAQ} />
      </Section>
      <CallToAction className="pb-20" title="Try it on tomorrow’s tour" />
    </>
  );
}
