import { Link } from "react-router";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Prose } from "~/features/marketing/components/prose";

export const meta = () =>
  publicHead({
    title: "Privacy · Cairn",
    description:
      "What Cairn stores about guests, companies and visitors, why, for how long, and who sees it.",
    path: "/privacy",
  });

export default function Privacy() {
  return (
    <>
      <PageHero
        seed="shoreline"
        title="Privacy"
        lead="What we store, why, for how long, and who can see it. Find the heading that fits you, and read on from there."
      />
      <Prose>
        <h2>If you only read these pages</h2>
        <p>
          These pages set no cookies and load nothing from other websites. They run no scripts, except that
          the front page shows you your receipt for a day after you have signed in the same browser. There is
          no tracking and no analytics. The server keeps no log of who read which page. To stop people from
          guessing passwords or flooding the service, it counts requests for each network address, and forgets
          each count within about a day. In the app one cookie, <code>theme</code>, remembers whether you
          chose the light or the dark look.
        </p>

        <h2>If you sign a waiver</h2>
        <p>A waiver is worth what it can prove later. So with your signature we keep:</p>
        <ul>
          <li>the exact text you were shown, and the consent you gave to sign electronically;</li>
          <li>your name, your email address and the signature itself, with the strokes you drew;</li>
          <li>
            the time by our clock, your time zone, your network address and the kind of browser you used, when
            you opened the page and how far you scrolled;
          </li>
          <li>a history of what happened to the waiver, such as emails about it and downloads.</li>
        </ul>
        <p>
          The company that asked you to sign can see this record. Other companies and other guests cannot. You
          get a copy, or a link to it, by email. If the company also sent you the link as a text message, it
          can see the number it entered for you; the number is not part of the record.
        </p>
        <p>
          The record is sealed into a PDF, so that a later change can be noticed. Anyone who has that PDF can{" "}
          <Link to={paths.verify}>check it</Link>, and the answer names no one. If your phone has no
          connection when you sign, the signature waits in your browser. It is removed from there once it has
          been sent.
        </p>

        <h2>If you have an account</h2>
        <p>
          We keep your name, your email address, your role and your company, and what you create: templates,
          sent waivers, settings. Your password is stored only as an argon2id hash, which cannot be turned
          back into the password. For your safety we also keep a log of sign-ins and of changes to the
          account, with the time and the network address.
        </p>
        <p>
          Your sign-in is kept in your browser and ends when you sign out. So does a copy of what you looked
          at last, such as templates and the list of sent waivers. It is there for the times without a
          connection, is not used after two weeks, and contains no password, key or signature. If you sign in
          with Google, we receive your name, your address and your picture, and nothing from your mailbox or
          calendar.
        </p>

        <h2>If you pay</h2>
        <p>
          The payment provider asks for your card and keeps it. We never see its number. We keep what you
          bought, when, for how much, and the address you gave there. The network address from which a payment
          was started is removed after a day. A server without a payment provider has a sandbox instead, which
          charges nothing and keeps the brand, the last four digits and the expiry date of the test card.
        </p>

        <h2>If you write to us</h2>
        <p>
          A message from the contact form, the demo form or the support page is stored as you typed it, and
          mailed to the people who run this service. The network address it came from is kept for a day, so
          that no one can flood the form, and is then removed.
        </p>

        <h2>Who else is involved</h2>
        <p>
          Emails go through the mail server of this service, or through the provider a company has chosen for
          its own emails. Text messages, where they are offered, go through Twilio. Payments, where they are
          set up, go through Stripe. Each of them sees what it delivers. A company can have your name, your
          email address and the time of your signature sent to a program of its own, or to Zapier. We sell
          nothing to anyone.
        </p>

        <h2>How long we keep it</h2>
        <p>
          Please read this part carefully, because it says what is possible today and not what we would like
          to be possible. A signed waiver is kept until its company erases it, because you asked for it or
          because the time has passed for which the company keeps its waivers. Your name, your addresses, your
          signature, the document and the emails about it are then removed. What is left are times, numbers
          and checksums, so that no one can change the rest of the history unnoticed. A company can put a
          waiver on legal hold, and then it cannot be erased. A sample that you signed for no company stays.
        </p>
        <p>
          Other things go by themselves. A waiver that you did not sign is erased two years after its link has
          expired or the company has cancelled it, with the emails and text messages about it. Emails that are
          about no waiver, messages to us and the log of sign-ins go after two years too. Notifications go
          after a year, a sign-in that is no longer used after 180 days, and emails and codes for signing in
          after 30 days. The text of an email about your account is deleted once the mail server has taken it,
          expired links about a day later, the list of deliveries to a company&rsquo;s programs after 30 days,
          and checkouts that were never paid after 30 days too. The people who run this service can choose
          other times.
        </p>

        <h2>What you can ask for</h2>
        <p>
          With an account you can download everything that is stored about your email address, in your
          profile. Without one, ask us, wherever you live, and you get a copy of it. You can change your name
          and your picture yourself, in your profile. As a guest you can also delete your account there: after
          7 days, in which you can change your mind, your profile, your picture, your password, your sign-ins,
          their log and our emails to you are gone. The owner of a company can export it and delete it there:
          after 30 days its waivers, templates, settings and accounts are gone, and invoices and hashes stay.
          If you work for a company, <Link to={paths.contact}>write to us</Link>: we delete your account with
          its profile, its password and its sign-ins, and keep the log for two years. The waivers you signed
          stay with the companies.
        </p>
        <p>
          The record of a waiver belongs to the company that asked you to sign. In your profile you can ask
          the company to erase what you signed, and you see its answer there. Without an account, please write
          to the company first. If they do not answer, write to us. The law where you live may give you more
          rights than this page, such as complaining to a data protection authority, and nothing here takes
          them away.
        </p>
      </Prose>
    </>
  );
}
