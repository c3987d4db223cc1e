import { FileCheck2, KeyRound, Lock, Network, ScrollText, ServerCog, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Section, SectionHeading } from "~/features/marketing/components/section";

export const meta = () =>
  publicHead({
    title: "Security · Cairn",
    description:
      "How Cairn keeps waivers private, unchanged and provable: what is really done, in plain language.",
    path: "/security",
  });

const TOPICS: { icon: LucideIcon; title: string; points: ReactNode[] }[] = [
  {
    icon: Network,
    title: "No one sees another company’s rows",
    points: [
      "Who may read or write a row is a rule inside PostgreSQL, on every table. Our own code obeys the same rules: it acts with the rights of the caller.",
      "Someone without an account sees a waiver only when the request names its exact, unguessable id.",
      "A test queries every table, as a stranger, a guest and a rival company, and fails if anything is returned.",
    ],
  },
  {
    icon: FileCheck2,
    title: "A signed waiver can be checked by anyone",
    points: [
      "Each becomes a PDF that is rendered once, sealed with a digital signature of the service (PAdES) and never rendered again.",
      <>
        <Link to={paths.verify}>The verify page</Link> shows whether a PDF is the sealed, unchanged record.
        One changed byte is reported.
      </>,
      "A time stamp by an outside authority is added where the operator has set one up, and never claimed otherwise.",
    ],
  },
  {
    icon: ScrollText,
    title: "The history cannot be rewritten quietly",
    points: [
      "Everything that happens to a waiver is a line in an append-only trail; each line holds the fingerprint of the one before.",
      "No role the app uses may change or delete such a line.",
      "Text, names, consent and signature are covered by one SHA-256 fingerprint printed on the certificate page.",
    ],
  },
  {
    icon: Lock,
    title: "Encrypted in transit and at rest",
    points: [
      "In production the service responds over https only and makes browsers insist on it.",
      "Sealed documents, second factors and providers’ keys are encrypted by the server (AES-GCM) before they are stored.",
      "The deployment guide requires an encrypted volume for the database.",
    ],
  },
  {
    icon: KeyRound,
    title: "Signing in",
    points: [
      "Passwords are kept as argon2id hashes, and the commonest ones are refused.",
      "Guessing is slowed per account and per network. Mailed links work once, and not for a mail scanner that only opens them.",
      "A second factor can be added: an authenticator app, with recovery codes.",
    ],
  },
  {
    icon: ServerCog,
    title: "In the browser",
    points: [
      "A strict content security policy lets only our own scripts run; the public pages run none at all.",
      "Nothing is loaded from other sites: no fonts, no trackers, no tag managers.",
      "No page can be framed by others, except for the signing pages a company puts on its website; no one is signed in there.",
      "What the app keeps on a device for the hours without a network holds no signed waiver, and goes when you sign out.",
    ],
  },
];

export default function Security() {
  return (
    <>
      <PageHero
        seed="bedrock"
        title="Security, without adjectives"
        lead="What is really done to keep your waivers private, unchanged and provable. If a line here were not true, it would be a bug, and we would like to know."
      />
      <Section title="What is done">
        <div className="grid gap-x-12 gap-y-12 md:grid-cols-2">
          {TOPICS.map(({ icon: Icon, title, points }) => (
            <div key={title}>
              <Icon className="size-7 text-forest" strokeWidth={1.6} aria-hidden />
              <h3 className="mt-4 text-xl font-semibold">{title}</h3>
              <ul className="mt-3 grid list-disc gap-2 ps-5 text-muted marker:text-forest [&_a]:font-medium [&_a]:text-forest-text [&_a]:underline [&_a]:underline-offset-4">
                {points.map((point, index) => (
                  <li key={index}>{point}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </Section>
      <div className="border-t border-line bg-sunken/50">
        <section className="mx-auto max-w-6xl px-4 py-18 sm:px-6">
          <SectionHeading
            title="What it does not do"
            lead={
              <>
                The seal proves that a document was not changed after it was signed here. It does not prove
                who held the phone, and it is no qualified signature. Found a weakness?{" "}
                <Link
                  to={paths.contact}
                  className="font-medium text-forest-text underline underline-offset-4"
                >
                  Write to us
                </Link>{" "}
                before you write about it, and we will fix it and thank you.
              </>
            }
          />
        </section>
      </div>
    </>
  );
}
