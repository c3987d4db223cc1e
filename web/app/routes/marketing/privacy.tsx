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
        lead="What we store, why, for how long, and who sees it. In the order in which you are likely to meet us."
      />
      <Prose>
        <h2>If you only read these pages</h2>
        <p>
          These pages set no cookie and load nothing from other sites. They run no script, except that the
          front page shows you the receipt for a day after you have signed in the same browser. There is no
          tracking and no analytics. The server writes no log of who read which page. Against guessing and
          flooding it counts requests per network, and forgets the count within about a day. In the app one
          cookie, <code>theme</code>, remembers whether you chose light or dark.
        </p>

        <h2>If you sign a waiver</h2>
        <p>A waiver is worth what it can prove later. With your signature we therefore keep:</p>
        <ul>
          <li>the exact text you were shown, and the consent you gave to sign electronically;</li>
          <li>your name, your email address and the signature itself, with the strokes it was drawn in;</li>
          <li>
            the time by our clock and your time zone, the network address and the kind of browser you used,
            when you opened the page and how far you scrolled.
          </li>
        </ul>
        <p>
          The company that asked you to sign sees this record, and you get a copy by email. No other company
          and no other guest does. If it also sent you the link as a text message, it sees the number it
          entered for that, which is not part of the record. It is sealed into a PDF so that a later change
          can be detected; anyone who holds that PDF can <Link to={paths.verify}>verify it</Link>, which names
          no one. A signature that could not be sent stays in your browser until it was, and is removed then.
        </p>
        <p>
          How long a waiver is kept is the company&rsquo;s decision, because the law gives it the duty to
          prove. To see, correct or delete what it holds about you, write to the company; if it does not
          answer, write to <Link to={paths.contact}>us</Link>.
        </p>

        <h2>If you have an account</h2>
        <p>
          We keep your name, email address, role, company, and what you create: templates, sendings, settings.
          Your password is stored as a salted argon2id hash that cannot be turned back. Your sign-in lives in
          your browser&rsquo;s storage and ends when you sign out. So does a copy of what you looked at last,
          such as templates, what was sent and to whom: it is there for the hours without a network, is not
          used after two weeks, and holds no password, key or signature. When you enter through Google we
          receive your name, address and picture, and nothing from your mailbox or calendar.
        </p>

        <h2>If you pay</h2>
        <p>
          The payment provider asks for your card and keeps it; its number never reaches us. We keep what was
          bought, when, for how much, and the address you gave there. The network a payment was begun from is
          removed after a day. A server without a payment provider has a sandbox in its place: it charges
          nothing and keeps the brand, the last four digits and the expiry of the test card.
        </p>

        <h2>If you write to us</h2>
        <p>
          A message sent from the contact or demo form is stored with what you typed and mailed to the
          operator of this service. The network it came from is kept for a day, so that no one can flood the
          form, and then removed.
        </p>

        <h2>Who else is involved</h2>
        <p>
          Emails are sent through the mail server the operator has set up, or the provider a company chose for
          its own emails. Text messages, where they are set up, go through Twilio. These see what they
          deliver. Payments, where they are set up, go through Stripe. A company may have your name, your
          email address and the time of your signature sent to its own program, or to Zapier. We sell nothing
          to anyone.
        </p>

        <h2>Your rights</h2>
        <p>
          You may ask what we hold about you, have it corrected, handed over or deleted, and complain to the
          data protection authority where you live. <Link to={paths.contact}>Write to us</Link>; a person
          answers. A deletion of a signed waiver leaves its fingerprint, a number from which nothing about you
          can be read, so that the history of records stays provable.
        </p>
      </Prose>
    </>
  );
}
