import { Button } from "~/ui/button";
import { ContourLines } from "~/ui/contour-lines";
import { Mark } from "~/ui/logo";

type Props = {
  companyName: string;
  templateName: string;
  onStart: () => void;
  /** Called if the guardian who has to sign is not here. It is null if the waiver covers no minors. */
  onGuardianAway: (() => void) | null;
};

/** The first screen for each guest. It shows nothing about the previous guest. */
export function HandOver({ companyName, templateName, onStart, onGuardianAway }: Props) {
  return (
    <div className="relative isolate grid grow place-items-center overflow-hidden px-5 py-12 text-center">
      <ContourLines
        seed={templateName}
        className="absolute inset-0 -z-10 size-full text-forest opacity-25 [mask-image:radial-gradient(circle_at_center,transparent_20%,black_80%)]"
      />
      <div className="max-w-md">
        <Mark className="mx-auto size-12 text-forest" />
        {companyName && (
          <p dir="auto" className="mt-6 text-lg text-muted">
            Welcome to {companyName}
          </p>
        )}
        <h2 dir="auto" className="mt-2 text-3xl font-semibold tracking-tight text-balance">
          {templateName}
        </h2>
        <p className="mt-3 text-muted">Please read the waiver and sign it.</p>
        <Button className="mt-8 h-14 px-10 text-lg" onClick={onStart}>
          Start signing
        </Button>
        {onGuardianAway && (
          <p className="mt-6">
            <Button variant="ghost" className="h-auto min-h-11 whitespace-normal" onClick={onGuardianAway}>
              The parent or guardian is not here
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}
