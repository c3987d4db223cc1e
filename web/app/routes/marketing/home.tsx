import { ChartNoAxesColumn, PenLine, Scale, Send, Timer, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { ContourLines } from "~/ui/contour-lines";
import { Notice } from "~/ui/notice";
import { SigningPreview } from "./signing-preview";

export const meta = () => [
  { title: "Cairn: digital waivers for tours and outdoor activities" },
  {
    name: "description",
    content:
      "Create waiver templates, send them to your guests, collect drawn signatures and see who has signed.",
  },
];

const BULLETS: [LucideIcon, string][] = [
  [PenLine, "Legally binding e-signatures"],
  [Send, "Automated email and SMS reminders"],
  [ChartNoAxesColumn, "A simple tracking dashboard"],
  [Timer, "Set-up in a couple of clicks"],
];

export default function Home() {
  return (
    <main>
      <section className="relative isolate overflow-hidden">
        <ContourLines
          seed="rio"
          levels={11}
          className="absolute inset-0 -z-10 size-full text-forest opacity-12 [mask-image:linear-gradient(to_bottom,black_60%,transparent)] lg:opacity-30 lg:[mask-image:radial-gradient(60%_58%_at_72%_42%,black_25%,transparent)]"
        />
        <div className="mx-auto grid max-w-6xl items-center gap-14 px-5 py-16 sm:py-24 lg:grid-cols-[1.1fr_1fr]">
          <div>
            <h1 className="font-display text-[2.75rem] leading-[1.04] font-bold tracking-tight sm:text-6xl">
              Put your waiver management on autopilot
            </h1>
            <p className="mt-6 max-w-lg text-lg text-ink-soft">
              Guests sign on their own phone before they arrive. You see at a glance who has, and who has not.
            </p>
            <ul className="mt-8 grid gap-3.5">
              {BULLETS.map(([Icon, text]) => (
                <li key={text} className="flex items-center gap-3 text-[1.0625rem]">
                  <span className="grid size-9 shrink-0 place-items-center rounded-full bg-forest-soft text-forest-ink">
                    <Icon className="size-4.5" aria-hidden />
                  </span>
                  {text}
                </li>
              ))}
            </ul>
            <div className="mt-10 flex flex-wrap gap-3">
              <Button asChild size="lg">
                <Link to={paths.signUp}>Try it Free</Link>
              </Button>
              <Button asChild size="lg" variant="secondary">
                <Link to={paths.signIn}>Sign in</Link>
              </Button>
            </div>
          </div>
          <SigningPreview />
        </div>
      </section>
      <section className="mx-auto max-w-6xl px-5 pb-20">
        <Notice icon={Scale} title="Before you use a waiver:">
          have your legal adviser review its final text. Cairn gives you the tool and the samples, not legal
          advice.
        </Notice>
      </section>
    </main>
  );
}
