import { Link } from "react-router";
import { STEPS } from "~/content/steps";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { FeatureRow } from "~/features/marketing/components/feature-row";
import { CallToAction } from "~/features/marketing/components/call-to-action";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Section } from "~/features/marketing/components/section";

export const meta = () =>
  publicHead({
    title: "Features · Cairn",
    description:
      "From template to sealed record: how Cairn writes, sends, collects, tracks and keeps your waivers.",
    path: "/features",
  });

const MORE_FEATURES = [
  ["Sign without an account", "Guests open a link and sign. They need no password and no app."],
  [
    "Interactive PDF",
    "Attach a fillable PDF to the email, for guests who prefer a document. They sign by the link in the same email.",
  ],
  [
    "Names in any script",
    "Accents, Cyrillic, Greek, Chinese, Arabic and Hebrew come out right on the record.",
  ],
  ["CSV export", "Take the list with you: template, recipient, email, status and date."],
  ["Live notifications", "A new signature appears in every open window of your company, without a reload."],
  [
    "Data service and webhooks",
    "Your own programs can read your waivers, and are notified of each newly signed one, directly or through Zapier.",
  ],
] as const;

export default function Features() {
  return (
    <>
      <PageHero
        seed="switchback"
        title="From “please sign this” to a record that holds"
        lead="Five steps, in the order of your day. The pictures show the real product with sample guests."
      />
      <div className="mx-auto grid max-w-6xl gap-20 px-4 py-18 sm:px-6 sm:gap-28 sm:py-24">
        {STEPS.map((step, index) => (
          <FeatureRow key={step.title} step={step} number={index + 1} />
        ))}
      </div>
      <div className="border-y border-line bg-sunken/50">
        <Section title="And besides">
          <dl className="grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
            {MORE_FEATURES.map(([name, text]) => (
              <div key={name}>
                <dt className="font-semibold">{name}</dt>
                <dd className="mt-1 text-pretty text-muted">{text}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-10 text-muted">
            For how the records are kept safe, see the{" "}
            <Link to={paths.security} className="font-medium text-forest-text underline underline-offset-4">
              security page
            </Link>
            .
          </p>
        </Section>
      </div>
      <CallToAction className="py-20" />
    </>
  );
}
