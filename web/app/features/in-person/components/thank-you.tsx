import { CircleCheck } from "lucide-react";
import { useCountdown } from "~/lib/use-countdown";
import { Button } from "~/ui/button";

const SECONDS = 8;

type Props = {
  templateName: string;
  /** Whether a guardian has signed on their own phone. */
  isSignedElsewhere: boolean;
  onNext: () => void;
};

/** Thanks the guest, without a name or a copy that the next guest could see. Then the next guest can start. */
export function ThankYou({ templateName, isSignedElsewhere, onNext }: Props) {
  const { secondsLeft } = useCountdown(SECONDS, onNext);
  return (
    <div className="grid grow place-items-center px-5 py-12 text-center">
      <div role="status" className="max-w-md">
        <CircleCheck className="mx-auto size-14 text-forest" strokeWidth={1.5} aria-hidden />
        <h2 className="mt-5 text-3xl font-semibold tracking-tight">Thank you</h2>
        <p dir="auto" className="mt-3 text-pretty text-muted">
          {isSignedElsewhere
            ? `Your parent or guardian has signed ${templateName}.`
            : `${templateName} is signed and stored. A copy is sent to your email address.`}{" "}
          Please hand the device back.
        </p>
        <Button variant="secondary" className="mt-8" onClick={onNext}>
          Next guest
        </Button>
        <p className="mt-3 text-sm text-muted" aria-hidden>
          Ready for the next guest in {secondsLeft} {secondsLeft === 1 ? "second" : "seconds"}
        </p>
      </div>
    </div>
  );
}
