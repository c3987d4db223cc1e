import {
  Bike,
  Mountain,
  Sailboat,
  Snowflake,
  TentTree,
  TreePine,
  Waves,
  type LucideIcon,
} from "lucide-react";
import { publicHead } from "~/lib/head";
import { CallToAction } from "~/features/marketing/components/call-to-action";
import { PageHero } from "~/features/marketing/components/page-hero";
import { Section, SectionHeading } from "~/features/marketing/components/section";

export const meta = () =>
  publicHead({
    title: "Customers · Cairn",
    description:
      "Who Cairn is made for: rafting, climbing, paddling, cycling, snow schools, adventure parks and camps.",
    path: "/customers",
  });

const BUSINESSES: { icon: LucideIcon; name: string; text: string }[] = [
  {
    icon: Waves,
    name: "Rafting and canyoning",
    text: "Groups arrive in vans, and no one wants to hold a pen in a wetsuit. Send the waiver when they book. At the put-in, one list shows who has not signed.",
  },
  {
    icon: Mountain,
    name: "Climbing halls and guides",
    text: "Walk-ins sign on a tablet at the entrance, and guests of a course sign at home. They get a copy, and you have one too.",
  },
  {
    icon: Sailboat,
    name: "Kayaks, boards and boats",
    text: "Rentals are quick, all day long. Put the link of your signing page on the counter as a QR code, and guests sign on their own phones while you hand out paddles.",
  },
  {
    icon: Bike,
    name: "Bike tours and rentals",
    text: "Riders come from everywhere. Names come out right on the record, in Greek, Cyrillic, Chinese, Arabic or Hebrew.",
  },
  {
    icon: Snowflake,
    name: "Snow schools and guides",
    text: "Mornings are short and cold, so let guests sign at home. The afternoon before, tick those who have not signed yet and send them a reminder.",
  },
  {
    icon: TreePine,
    name: "Ropes courses and adventure parks",
    text: "Many guests, one text. See who has signed and who has not, and find last year’s record by name.",
  },
  {
    icon: TentTree,
    name: "Camps and outdoor schools",
    text: "A liability waiver, a photography release, a medical authorization: start from our three samples, and send each one when you need it.",
  },
];

export default function Customers() {
  return (
    <>
      <PageHero
        seed="headwaters"
        title="For people who take other people outside"
        lead="Cairn is new, so there is no wall of logos here. These are the kinds of businesses we build it for, and what it does for them today."
      />
      <Section title="Who it fits">
        <ul className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-2">
          {BUSINESSES.map(({ icon: Icon, name, text }) => (
            <li key={name} className="flex gap-5 bg-surface p-7 last:md:col-span-2">
              <Icon className="mt-1 size-7 shrink-0 text-forest" strokeWidth={1.6} aria-hidden />
              <div>
                <h3 className="text-lg font-semibold">{name}</h3>
                <p className="mt-1.5 max-w-prose text-pretty text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </Section>
      <section className="mx-auto max-w-6xl px-4 pb-14 sm:px-6">
        <SectionHeading
          title="Who it does not fit yet"
          lead="If you need a ready-made connector for your booking system, a calendar, lists by trip or departure, or signatures that count as qualified under European law, Cairn is not the right tool today. We would rather say so here than after you have paid."
        />
      </section>
      <CallToAction
        className="pb-20"
        title="Yours is not on the list? Ask us."
        text="We reply in plain English, even when the answer is no."
      />
    </>
  );
}
