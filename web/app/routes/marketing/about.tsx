import { Layers, ShieldCheck, WifiOff, type LucideIcon } from "lucide-react";
import { publicHead } from "~/lib/head";
import { CallToAction } from "~/features/marketing/components/call-to-action";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Prose } from "~/features/marketing/components/prose";
import { Section } from "~/features/marketing/components/section";

export const meta = () =>
  publicHead({
    title: "About · Cairn",
    description: "Why we build Cairn, and the three things we hold on to: Simplicity, Reliability, Security.",
    path: "/about",
  });

const VALUES: { icon: LucideIcon; name: string; text: string }[] = [
  {
    icon: Layers,
    name: "Simplicity",
    text: "A guest should need no explanation, and a guide no manual. If a screen has two main buttons, one of them is wrong.",
  },
  {
    icon: WifiOff,
    name: "Reliability",
    text: "It works online and offline. If the signal ends while a guest is signing, the signature is kept on the device, shown as waiting, and sent when the connection is back. A dashboard you have opened before also opens without one.",
  },
  {
    icon: ShieldCheck,
    name: "Security",
    text: "A signed waiver is a promise between two people. We keep it sealed and private, and anyone who has the document can check that it was not changed.",
  },
];

export default function About() {
  return (
    <>
      <PageHero
        seed="watershed"
        title="A stack of stones that says: this way is safe"
        lead="That is a cairn. People who went before leave it for those who come after. We liked the idea that a record could work the same way."
      />
      <Prose>
        <h2>How it began</h2>
        <p>
          We have stood on both sides of the clipboard. As guests, cold and eager, signing a page we could not
          read because the van was leaving. And behind the counter, drying paper on a radiator and hoping that
          the one sheet that mattered was not the one that blew into the river.
        </p>
        <p>
          The paper was never the point. The point was that someone knew what could happen, had time to think
          about it, and said yes. Paper was just a poor way to keep that moment.
        </p>
        <p>
          So we founded Cairn to keep it well. Guests can read at home, in peace, on their own phones. Guides
          see who has signed before anyone puts on a helmet. And years later, when it counts, the record still
          says what was shown, who signed it and when.
        </p>
        <h2>What we leave out</h2>
        <p>
          We do not sell guests&rsquo; data, and we do not show advertisements. We try to claim only what we
          can show: every sentence of these pages is on a list, with the test that proves it, or a note that
          it is advice, an opinion or something about us. Where a figure or a voice is made up, the page says
          so. Where you need a lawyer, we say that too.
        </p>
      </Prose>
      <div className="border-t border-line bg-sunken/50">
        <Section title="Three things we hold on to">
          <ul className="grid gap-6 md:grid-cols-3">
            {VALUES.map(({ icon: Icon, name, text }) => (
              <li key={name} className="rounded-2xl border border-line bg-surface p-7">
                <Icon className="size-7 text-forest" strokeWidth={1.75} aria-hidden />
                <h3 className="mt-5 text-xl font-semibold">{name}</h3>
                <p className="mt-2 text-pretty text-muted">{text}</p>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <CallToAction className="py-20" />
    </>
  );
}
