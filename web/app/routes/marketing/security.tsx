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
      "How Cairn keeps waivers private, unchanged and provable: what we do and what we do not, in plain English.",
    path: "/security",
  });

const TOPICS: { icon: LucideIcon; title: string; points: ReactNode[] }[] = [
  {
    icon: Network,
    title: "No company sees the data of another",
    points: [
      "Who may read or write a row is decided by rules inside the PostgreSQL database, on every table. What a browser or a program reads and writes runs with the rights of the person who is signed in. Our own code has more rights in some places, for example to queue an email, and checks first who is asking.",
      "Without an account, a waiver can be opened only by its exact link, which no one can guess. The id printed on a signed document opens nothing.",
      "Tests try every table, function, file folder and live channel as a stranger, as a guest and as a rival company, and fail if one of them gets anything.",
    ],
  },
  {
    icon: FileCheck2,
    title: "A signed waiver can be checked by anyone",
    points: [
      "Each signature becomes a PDF that is sealed with a digital signature of the service (PAdES). It cannot be replaced afterwards.",
      <>
        <Link to={paths.verify}>The verify page</Link> says whether a PDF is the sealed, unchanged document.
        If one byte was changed, it says so. It names no one.
      </>,
      "The signed document opens for the company, for the account of the signer, by the link in the signer’s email, and for one day in the browser that signed.",
      "A time stamp from an independent authority is added if the operator has set one up. Otherwise the document does not claim one.",
    ],
  },
  {
    icon: ScrollText,
    title: "Changes to the record are noticed",
    points: [
      "The steps of a waiver form a history in which each entry contains the fingerprint of the one before. If an entry is changed, or one in the middle is removed, the check finds it.",
      "The service also signs the state of all histories of a company, again and again. So the check of a waiver also finds a history without its last entries, and one that was replaced or added later with the same or earlier times. The audit of all waivers, which the operator runs, also finds a removed record.",
      "Text, names, consent and signature are covered by one SHA-256 fingerprint, which is printed at the end of the document.",
      "The time of a signature comes from our clock. What the device says about its own clock is stored apart and marked as such.",
    ],
  },
  {
    icon: Lock,
    title: "Encrypted in transit and at rest",
    points: [
      "On a public address the service redirects http to https, and tells browsers to use nothing else.",
      "Sealed documents, the secrets of authenticator apps and the keys of mail providers are encrypted by the server (AES-GCM) before they are stored.",
      "Other rows of the database are not encrypted one by one. The deployment guide requires an encrypted volume for the database.",
    ],
  },
  {
    icon: KeyRound,
    title: "Signing in",
    points: [
      "Passwords are stored as argon2id hashes, and very common passwords are refused.",
      "After wrong passwords the next try has to wait longer and longer, but only for that account and that network. So no one can lock you out from elsewhere.",
      "Links in emails work once and for one hour, and a mail scanner that only opens them uses nothing up. A code in an email is invalid after five wrong tries.",
      "An account belongs to the owner of its address. If someone else signed up with your address, your first sign-in by email ends their sessions and removes their password.",
      "Once your address is confirmed, you can add a second factor: an authenticator app, with recovery codes.",
    ],
  },
  {
    icon: ServerCog,
    title: "In the browser",
    points: [
      "A content security policy lets only our own scripts run, and lets them connect only to this site. The pages about the product run no scripts, except that the front page shows the receipt to a guest who has just signed.",
      "Nothing is loaded from other sites: no fonts, no trackers, no tag managers.",
      "Other websites cannot show our pages in a frame. The exception are the signing pages that a company puts on its own website, and no one is signed in there.",
      "What the app keeps on a device for times without a connection contains no signed waiver, and is removed when you sign out.",
    ],
  },
  {
    icon: MailWarning,
    title: "No spam in your name",
    points: [
      "Until its address is confirmed, a company can send only a few invitations a day, with our text. After that there are limits for each company and each recipient.",
      "What a guest types never becomes a link in an email.",
      "The name of a sender cannot contain an address, and cannot imitate one of the brands on our list.",
    ],
  },
  {
    icon: Scale,
    title: "One visitor cannot use up the service",
    points: [
      "Signatures without an account, uploads, connections and failed sign-ins are limited for each network.",
      "Documents and images are made in separate processes with limits on time and memory, and companies take turns.",
      "A signature is confirmed only when it is stored. Tests kill the server in the middle of signing, and find every confirmed signature again.",
    ],
  },
];

export default function Security() {
  return (
    <>
      <PageHero
        seed="bedrock"
        title="Security, without adjectives"
        lead="What we do to keep your waivers private, unchanged and provable. Each line has a test behind it. If you find one that is not true, it is a bug, and we would like to know."
      />
      <Section title="What we do">
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
                who held the phone, and it is not a qualified signature. The people who run the server can
                read what is stored on it. Someone with full control of the server could remove the newest
                records together with everything that was signed about them, and our check would not notice;
                the sealed PDF in the guest&rsquo;s mailbox would still show what was signed. Found a
                weakness?{" "}
                <Link
                  to={paths.contact}
                  className="font-medium text-forest-text underline underline-offset-4"
                >
                  Write to us
                </Link>{" "}
                before you write about it. We will fix it, and thank you.
              </>
            }
          />
        </section>
      </div>
    </>
  );
}
