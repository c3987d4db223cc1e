import { Link } from "react-router";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Prose } from "~/features/marketing/components/prose";

export const meta = () =>
  publicHead({
    title: "Terms · Cairn",
    description: "What you can expect from Cairn, and what Cairn expects from you, in plain English.",
    path: "/terms",
  });

export default function Terms() {
  return (
    <>
      <PageHero
        seed="ridgeline"
        title="Terms"
        lead="What you can expect from us, and what we expect from you. Written to be read."
      />
      <Prose>
        <h2>What Cairn is</h2>
        <p>
          With Cairn, businesses write waivers, send them to guests, collect signatures and keep the records.
          By creating an account, or by signing a waiver here, you agree to these terms.
        </p>

        <h2>What it is not</h2>
        <p>
          Cairn does not give legal advice. The samples are starting points. Please have a lawyer review the
          final text of every waiver before you use it. A signature made here is a simple electronic signature
          with integrity protection, not an advanced or qualified one.
        </p>

        <h2>Your account</h2>
        <p>
          Please give us true information, keep your password to yourself, and tell us if someone else may
          know it. You are responsible for what happens under your account.
        </p>

        <h2>What you put in</h2>
        <p>
          Your templates, your guests and their waivers are yours. We store and deliver them for you, and do
          nothing else with them. Send waivers only to people who expect them: no advertising, nothing
          unlawful, nothing that pretends to come from someone else. We may block an account that does.
        </p>

        <h2>Trial, plans and limits</h2>
        <p>
          A company can try everything for seven days without a card.{" "}
          <Link to={paths.pricing}>The plans</Link> say what each of them includes. On Basic you can send up
          to 1000 waivers in a calendar month. You pay for a month ahead, and the plan renews until you cancel
          it. You can cancel at any time, and the plan then runs until the end of the month you have paid for.
          When a trial or a plan ends, your records are not locked, and a guest who has a link can still sign.
        </p>

        <h2>Your records when you leave</h2>
        <p>
          You can read your signed waivers, download each of them and export the list at any time, also
          without a plan. If we ever have to close the service, we will tell you early enough to take
          everything with you. You can erase a signed waiver, or choose after how many years all of them are
          erased; the <Link to={paths.privacy}>privacy page</Link> says what is left of one.
        </p>

        <h2>What we promise, and what we cannot</h2>
        <p>
          We work with care, and we tell you when something went wrong. We cannot promise that the service is
          never interrupted, or that a court decides as you hope. Where the law allows it, we pay for damage
          only if we caused it on purpose or by gross negligence, and otherwise not more than you paid us in
          the last twelve months.
        </p>

        <h2>Changes</h2>
        <p>
          If these terms change in a way that matters to you, we write to the address of your account before
          the change applies. If anything here is unclear, please <Link to={paths.contact}>ask us</Link>.
        </p>
      </Prose>
    </>
  );
}
