import { cx } from "class-variance-authority";
import type { Step } from "~/content/steps";
import { Screenshot } from "./screenshot";

/** Shows a step beside its screenshot. The sides alternate from row to row. */
export function FeatureRow({ step, number }: { step: Step; number: number }) {
  const isReversed = number % 2 === 0;
  return (
    <section
      className={cx(
        "grid items-center gap-9 lg:gap-16",
        isReversed ? "lg:grid-cols-[1.35fr_1fr]" : "lg:grid-cols-[1fr_1.35fr]",
      )}
    >
      <div className={cx(isReversed && "lg:order-2")}>
        <p className="flex size-9 items-center justify-center rounded-full border border-edge font-medium tabular-nums">
          {number}
        </p>
        <h2 className="mt-5 font-display text-3xl leading-tight font-bold tracking-tight">{step.title}</h2>
        <p className="mt-3 text-lg text-pretty text-muted">{step.text}</p>
        <ul className="mt-5 grid gap-2.5">
          {step.points.map((point) => (
            <li key={point} className="border-s-2 border-forest ps-3.5">
              {point}
            </li>
          ))}
        </ul>
      </div>
      <div className={cx(step.picture.shape === "phone" && "mx-auto w-full max-w-72")}>
        <Screenshot picture={step.picture} />
      </div>
    </section>
  );
}
