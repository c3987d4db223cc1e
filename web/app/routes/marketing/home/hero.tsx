import { ChartNoAxesColumn, PenLine, Send, Timer, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Terrain } from "../parts/terrain";
import { SigningPreview } from "./signing-preview";

const BULLETS: [LucideIcon, string][] = [
  [PenLine, "Legally binding e-signatures"],
  [Send, "Automated email and SMS reminders"],
  [ChartNoAxesColumn, "A simple tracking dashboard"],
  [Timer, "Set-up in a couple of clicks"],
];

export function Hero() {
  return (
    <section className="relative isolate overflow-hidden">
      <Terrain
        seed="rio"
        fade="radial-gradient(60% 58% at 72% 42%, #000 25%, transparent)"
        className="text-forest opacity-35"
      />
      <div className="mx-auto grid max-w-6xl items-center gap-14 px-4 pt-14 pb-20 sm:px-6 sm:pt-20 sm:pb-28 lg:grid-cols-[1.1fr_1fr]">
        <div>
          <h1 className="font-display text-[2.75rem] leading-[1.04] font-bold tracking-tight sm:text-6xl">
            Put your waiver management on autopilot
          </h1>
          <p className="mt-6 max-w-lg text-lg text-pretty text-ink-soft sm:text-xl">
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
          <div className="mt-10 flex flex-wrap items-center gap-3">
            <Button asChild size="lg">
              <Link to={paths.signUp}>Try it Free</Link>
            </Button>
            <Button asChild size="lg" variant="secondary">
              <Link to={paths.demo}>Sign a sample waiver</Link>
            </Button>
          </div>
          <p className="mt-4 text-sm text-ink-soft">Free 7-day trial. No credit card required.</p>
        </div>
        <SigningPreview />
      </div>
    </section>
  );
}
