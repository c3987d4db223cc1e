import { Check, X } from "lucide-react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { LinkButton } from "~/ui/link-button";
import type { Step } from "../model";

export function StepsCard({ steps, onHide }: { steps: Step[]; onHide: () => void }) {
  const nextStep = steps.find(({ isDone }) => !isDone);
  return (
    <Card aria-labelledby="first-steps">
      <header className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6">
        <div>
          <h2 id="first-steps" className="text-lg font-semibold">
            {nextStep ? "First steps" : "All set"}
          </h2>
          <p className="mt-0.5 text-muted">
            {nextStep
              ? `${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`
              : "Your first waiver is signed. You are ready for real guests."}
          </p>
        </div>
        <Button
          variant="ghost"
          size="icon"
          className="-me-2 -mt-1"
          aria-label="Put the first steps away"
          onClick={onHide}
        >
          <X aria-hidden />
        </Button>
      </header>
      <ol className="grid gap-x-6 px-5 pt-3 pb-5 sm:grid-cols-2 sm:px-6 xl:grid-cols-4">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isNext={step === nextStep} />
        ))}
      </ol>
    </Card>
  );
}

function StepItem({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { title, description, isDone, to, action } = step;
  return (
    <li className="flex gap-3.5 py-3" aria-current={isNext ? "step" : undefined}>
      <span
        aria-hidden
        className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-semibold ${
          isDone ? "bg-forest text-on-forest" : "border border-edge text-muted"
        }`}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0">
        <p className={isDone ? "text-muted line-through" : "font-medium"}>
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        {!isDone && <p className="text-sm text-muted">{description}</p>}
        {isNext && (
          <LinkButton to={to} variant="secondary" size="sm" className="mt-2.5">
            {action}
          </LinkButton>
        )}
      </div>
    </li>
  );
}
