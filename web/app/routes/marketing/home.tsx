import { publicHead } from "~/lib/head";
import { FaqSection } from "./home/faq-section";
import { FeatureGrid } from "./home/feature-grid";
import { Hero } from "./home/hero";
import { PricingSection } from "./home/pricing-section";
import { StatsBand } from "./home/stats-band";
import { Testimonials } from "./home/testimonials";
import { Invitation } from "./parts/invitation";

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
      {/* Where whoever signed out arrives: the app and its toasts stay behind. */}
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
      <Invitation />
      <FaqSection />
    </>
  );
}
