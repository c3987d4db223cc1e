import { publicHead } from "~/lib/head";
import { RECEIPT_SCRIPT } from "~/lib/receipt-script";
import { FaqSection } from "~/features/marketing/home/faq-section";
import { FeatureGrid } from "~/features/marketing/home/feature-grid";
import { Hero } from "~/features/marketing/home/hero";
import { PricingSection } from "~/features/marketing/home/pricing-section";
import { StatsBand } from "~/features/marketing/home/stats-band";
import { Testimonials } from "~/features/marketing/home/testimonials";
import { CallToAction } from "~/features/marketing/components/call-to-action";

export const meta = () =>
  publicHead({
    title: "Cairn: digital waivers for tours and outdoor activities",
    description:
      "Create waiver templates, send them to your guests, collect drawn signatures and see who has signed.",
    path: "/",
  });

export default function Home() {
  return (
    <>
      {/* The page has no toasts. After signing out it is opened as /#signed-out, which makes this text visible. */}
      <p
        id="signed-out"
        role="status"
        className="hidden bg-forest p-3 text-center text-on-forest target:block"
      >
        Signed out
      </p>
      <Hero />
      <StatsBand />
      <FeatureGrid />
      <PricingSection />
      <Testimonials />
      <CallToAction />
      <FaqSection />
      <script dangerouslySetInnerHTML={{ __html: RECEIPT_SCRIPT }} />
    </>
  );
}
