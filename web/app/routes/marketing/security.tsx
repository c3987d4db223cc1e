import {
  FileCheck2,
  KeyRound,
  Lock,
  MailWarning,
  Network,
  Scale,
  ScrollText,
  ServerCog,
  type LucideIcon,
} from "lucide-react";
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
      "Who may read or write a row is a rule inside PostgreSQL, on every table. A request runs with the rights of the person who sent it.",
      "Without an account, a waiver can be opened only with its exact, unguessable link. The id printed on a signed document opens nothing.",
      "Tests try every table, function, folder of files and live channel as a stranger, a guest and a rival company, and fail if one of them gets anything.",
    ],
  },
  {
    icon: FileCheck2,
    title: "A signed waiver can be checked by anyone",
    points: [
      "Each becomes a PDF that is sealed with a digital signature of the service (PAdES) and cannot be replaced afterwards.",
      <>
        <Link to={paths.verify}>The verify page</Link> shows whether a PDF is the sealed, unchanged record.
        One changed byte is reported. The page names no one.
      </>,
      "The signed document opens for the company, for the signer’s account, with the link in the signer’s email, and for one day in the browser that signed.",
      "A time stamp by an outside authority is added where the operator has set one up, and never claimed otherwise.",
    ],
  },
  {
    icon: ScrollText,
    title: "The history cannot be rewritten quietly",
    points: [
      "Each step of a waiver is a line in its history, and each line holds the fingerprint of the one before. Changing a line, or removing one that others follow, is detected.",
      "Text, names, consent and signature are covered by one SHA-256 fingerprint printed on the certificate page.",
      "The time of a signature is ours. What a device says about its own clock is kept apart and marked as such.",
    ],
  },
  {
    icon: Lock,
    title: "Encrypted in transit and at rest",
    points: [
      "In production the service redirects plain http to https and makes browsers insist on it.",
      "Sealed documents, the secrets of authenticator apps and providers’ keys are encrypted by the server (AES-GCM) before they are stored.",
      "The deployment guide requires an encrypted volume for the database.",
    ],
  },
  {
    icon: KeyRound,
    title: "Signing in",
    points: [
      "Passwords are kept as argon2id hashes, and the commonest ones are refused.",
      "Wrong passwords make the next try wait longer, for that account and that network, so no one can lock you out from elsewhere.",
      "Mailed links work once and for one hour, and not for a mail scanner that only opens them. A mailed code ends after five wrong tries.",
      "An account belongs to the owner of its address. If someone else signed up with your address, your first sign-in or password link ends their sessions and removes their password.",
      "Once your address is confirmed, you can add a second factor: an authenticator app, with recovery codes.",
    ],
  },
  {
    icon: ServerCog,
    title: "In the browser",
    points: [
      "A content security policy lets only our own scripts run and lets them connect only to this site. The pages about the product run no script, except that the front page shows the receipt to a guest who has just signed.",
      "Nothing is loaded from other sites: no fonts, no trackers, no tag managers.",
      "No page can be framed by others, except for the signing pages a company puts on its website; no one is signed in there.",
      "What the app keeps on a device for the hours without a network holds no signed waiver, and goes when you sign out.",
    ],
  },
  {
    icon: MailWarning,
    title: "No spam in your name",
    points: [
      "Until its address is confirmed, a company can send only a few invitations a day, with our text. Afterwards there are limits per company and per recipient.",
      "What a guest types never becomes a link in an email.",
      "The name of a sender cannot contain an address, and cannot look like one of the brands on our list.",
    ],
  },
  {
    icon: Scale,
    title: "One visitor cannot use up the service",
    points: [
      "Signatures without an account, uploads, connections and failed sign-ins are limited per network.",
      "Documents and images are made in separate processes with limits on time and memory. Companies take turns.",
      "A signature is confirmed only when it is stored. Tests kill the server in the middle of signing and find every confirmed signature again.",
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
                who held the phone, and it is not a qualified signature. Whoever runs the server can read what
                is stored on it. Found a weakness?{" "}
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
