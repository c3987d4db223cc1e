import { ChartNoAxesColumn, PenLine, Send, Timer, type LucideIcon } from "lucide-react";
import type { Picture } from "~/content/steps";
import { paths } from "~/paths";
import { Terrain } from "~/ui/terrain";
import { LinkButton } from "~/ui/link-button";
import { Screenshot } from "../components/screenshot";

const BULLETS: [LucideIcon, string][] = [
  [PenLine, "Legally binding e-signatures"],
  [Send, "Automated email and SMS reminders"],
  [ChartNoAxesColumn, "A simple tracking dashboard"],
  [Timer, "Set-up in a couple of clicks"],
];

const DASHBOARD: Picture = {
  name: "dashboard",
  alt: "The dashboard: how many guests have signed, and who has not yet",
  shape: "desktop",
};
const PHONE: Picture = {
  name: "signing",
  alt: "A guest’s phone: name, email and a drawn signature",
  shape: "phone",
};

export function Hero() {
  return (
    <section className="relative isolate overflow-hidden">
      <Terrain
        seed="rio"
        fade="radial-gradient(60% 58% at 72% 42%, #000 25%, transparent)"
        className="text-forest opacity-15 lg:opacity-35"
      />
      <div className="mx-auto grid max-w-6xl items-center gap-14 px-4 pt-14 pb-20 sm:px-6 sm:pt-20 sm:pb-28 lg:grid-cols-[1fr_1.12fr] lg:gap-12">
        <div>
          <h1 className="font-display text-[2.75rem] leading-[1.04] font-bold tracking-tight sm:text-[3.5rem]">
            Put your waiver management on autopilot
          </h1>
          <p className="mt-6 max-w-lg text-lg text-pretty text-muted sm:text-xl">
            Guests sign on their own phones before they arrive. You see at a glance who has signed and who has
            not.
          </p>
          <ul className="mt-8 grid gap-3.5">
            {BULLETS.map(([Icon, text]) => (
              <li key={text} className="flex items-center gap-3 text-[1.0625rem]">
                <span className="grid size-9 shrink-0 place-items-center rounded-full bg-forest-soft text-forest-text">
                  <Icon className="size-4.5" aria-hidden />
                </span>
                {text}
              </li>
            ))}
          </ul>
          <div className="mt-10 flex flex-wrap items-center gap-3">
            <LinkButton to={paths.signUp} size="lg">
              Try it Free
            </LinkButton>
            <LinkButton to={paths.demo} size="lg" variant="secondary">
              Sign a sample waiver
            </LinkButton>
          </div>
          <p className="mt-4 text-sm text-muted">Free 7-day trial. No credit card required.</p>
        </div>
        <div className="relative mx-auto mb-12 w-full max-w-xl ps-8 sm:ps-14 lg:me-0 lg:max-w-none">
          <Screenshot picture={DASHBOARD} isFirst />
          <div className="absolute start-0 -bottom-14 w-[31%]">
            <Screenshot picture={PHONE} isFirst />
          </div>
        </div>
      </div>
    </section>
  );
}
