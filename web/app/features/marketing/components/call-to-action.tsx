import { cx } from "class-variance-authority";
import { paths } from "~/paths";
import { Mark } from "~/ui/logo";
import { Terrain } from "~/ui/terrain";
import { LinkButton } from "~/ui/link-button";

type Props = {
  className?: string;
  title?: string;
  text?: string;
  secondLink?: { text: string; link: string };
};

/** Shows the call to action at the end of a page. It is dark in both themes, like the sign-in pages. */
export function CallToAction({
  className,
  title = "Every guest signed before the boats touch the water",
  text = "Seven days to try everything. No credit card required.",
  secondLink = { text: "Schedule Demo", link: paths.demo },
}: Props) {
  return (
    <section className={cx("mx-auto max-w-6xl px-4 sm:px-6", className)}>
      <div className="relative isolate overflow-hidden rounded-3xl bg-[oklch(0.27_0.055_158)] px-6 py-14 text-[oklch(0.96_0.02_150)] sm:px-14 sm:py-18">
        <Terrain
          seed="first-light"
          fade="linear-gradient(to left, #000, transparent 70%)"
          className="opacity-20"
        />
        <Mark className="absolute end-14 bottom-10 -z-10 hidden size-44 opacity-25 lg:block" />
        <h2 className="max-w-2xl font-display text-3xl leading-tight font-bold tracking-tight sm:text-[2.75rem]">
          {title}
        </h2>
        <p className="mt-4 max-w-lg text-lg text-[oklch(0.88_0.03_150)]">{text}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton to={paths.signUp} size="lg" variant="light">
            Try it Free
          </LinkButton>
          <LinkButton to={secondLink.link} size="lg" variant="outlined">
            {secondLink.text}
          </LinkButton>
        </div>
      </div>
    </section>
  );
}
