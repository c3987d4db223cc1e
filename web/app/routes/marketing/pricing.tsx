import { PAID_TIERS } from "~/content/plans";
import { PRICING_FAQ } from "~/content/pricing-faq";
import { publicHead, SITE_URL } from "~/lib/head";
import { Invitation } from "./parts/invitation";
import { PageHero } from "./parts/page-hero";
import { Questions } from "./parts/questions";
import { Section } from "./parts/section";
import { StructuredData } from "./parts/structured-data";
import { TierCard } from "./parts/tier-card";

export const meta = () =>
  publicHead({
    title: "Pricing · Cairn",
    description:
      "Two plans: Basic for $20 a month, Professional for $40. Seven free days, no credit card required.",
    path: "/pricing",
  });

const OFFERS = {
  "@type": "SoftwareApplication",
  name: "Cairn",
  applicationCategory: "BusinessApplication",
  operatingSystem: "Any, in the browser",
  url: `${SITE_URL}/pricing`,
  offers: PAID_TIERS.map(({ title, price }) => ({
    "@type": "Offer",
    name: title,
    price: price?.amount.toFixed(2),
    priceCurrency: price?.currency,
  })),
};

export default function Pricing() {
  return (
    <>
      <PageHero
        seed="plateau"
        title="Two plans, both whole"
        lead="The same signatures, the same sealed records. What differs is how many waivers you send, and how."
      />
      <section aria-label="Plans" className="mx-auto max-w-6xl px-4 py-14 sm:px-6 sm:py-18">
        <div className="grid max-w-4xl gap-9 md:grid-cols-2 md:gap-7">
          {PAID_TIERS.map((tier) => (
            <TierCard key={tier.title} tier={tier} heading="h2" />
          ))}
        </div>
        <StructuredData facts={OFFERS} />
      </section>
      <Section title="Before you choose" className="pt-6 sm:pt-8">
        <Questions questions={PRICING_FAQ} />
      </Section>
      <div className="pb-20">
        <Invitation title="Try it on tomorrow's trip" />
      </div>
    </>
  );
}
