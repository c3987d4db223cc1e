import { Link } from "react-router";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Prose } from "~/features/marketing/components/prose";

export const meta = () =>
  publicHead({
    title: "Terms · Cairn",
    description: "What you may expect of Cairn, and what Cairn expects of you.",
    path: "/terms",
  });

export default function Terms() {
  return (
    <>
      <PageHero
        seed="ridgeline"
        title="Terms"
        lead="What you may expect of us, and what we expect of you. Written to be read."
      />
      <Prose>
        <h2>What Cairn is</h2>
        <p>
          Cairn lets businesses write waivers, send them to guests, collect signatures and keep the records.
          By making an account, or by signing a waiver here, you agree to these terms.
        </p>

        <h2>What it is not</h2>
        <p>
          It is no legal advice. The samples are starting points; have a legal adviser review the final text
          of every waiver before you use it. A signature made here is a simple electronic signature with
          integrity protection, not an advanced or qualified one.
        </p>

        <h2>Your account</h2>
        <p>
          Give true information, keep your password to yourself, and let us know if someone else may know it.
          You are responsible for what happens under your account.
        </p>

        <h2>What you put in</h2>
        <p>
          Your templates, your guests and their waivers are yours. We store and deliver them for you, and do
          nothing else with them. Send waivers only to people who expect them: no advertising, nothing
          unlawful, nothing that pretends to come from someone else. We may stop an account that does.
        </p>

        <h2>Trial, plans and limits</h2>
        <p>
          A company may try everything for seven days without a card.{" "}
          <Link to={paths.pricing}>The plans</Link> say what each includes; on Basic up to 1000 waivers can be
          sent in a calendar month. A plan is paid for a month ahead and renewed until you end it, which you
          can do at any time; it then stays yours until the paid month is over. A trial or plan that has ended
          never locks your records and never stops a guest who holds a link from signing.
        </p>

        <h2>Records when you leave</h2>
        <p>
          You can read, download and export your signed waivers at any time, also without a plan. If we ever
          have to end the service we will say so early enough to take everything with you.
        </p>

        <h2>What we promise, and what we cannot</h2>
        <p>
          We work with care, keep backups possible and inform you when something went wrong. We cannot promise
          that the service is never interrupted, or that a court decides as you hope. Where the law allows it
          we are liable for damage only when we caused it on purpose or by gross negligence, and otherwise not
          beyond what you paid in the last twelve months.
        </p>

        <h2>Changes</h2>
        <p>
          When these terms change in a way that matters to you, we write to the address of your account before
          the change applies. Questions about any of this: <Link to={paths.contact}>write to us</Link>.
        </p>
      </Prose>
    </>
  );
}
