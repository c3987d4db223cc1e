import { errorMessage } from "~/lib/error-message";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "~/ui/button";
import { Failure } from "~/ui/failure";
import { RelativeTime } from "~/ui/relative-time";
import { Skeleton } from "~/ui/skeleton";
import { toast } from "~/ui/toast-store";
import { createRecoveryCodes, useFactors, useRemoveFactor, type Factor } from "../api/factors";
import { EnrolFactor } from "./enrol-factor";
import { RecoveryCodes } from "./recovery-codes";

export function SecondFactorSettings() {
  const { data: factors, isError, refetch } = useFactors();
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const showCodes = () =>
    createRecoveryCodes().then(setCodes, (error: unknown) =>
      toast({ title: "No recovery codes were made", description: errorMessage(error), destructive: true }),
    );
  const finishAdding = async () => {
    setAdding(false);
    toast({ title: "Second factor turned on" });
    await showCodes();
  };

  if (codes) return <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />;
  if (isAdding) return <EnrolFactor onAdded={finishAdding} onCancel={() => setAdding(false)} />;
  if (isError) {
    return (
      <Failure title="Your second factors could not be loaded" onRetry={() => void refetch()}>
        Nothing about them has changed.
      </Failure>
    );
  }
  if (!factors) return <Skeleton className="h-11 w-full" />;
  return (
    <div className="flex flex-col items-start gap-4">
      {factors.length > 0 && (
        <ul className="w-full divide-y divide-line rounded-card border border-line">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => setAdding(true)}>
          {factors.length > 0 ? "Add another app" : "Set up an authenticator app"}
        </Button>
        {factors.length > 0 && (
          <Button variant="secondary" onClick={() => void showCodes()}>
            New recovery codes
          </Button>
        )}
      </div>
    </div>
  );
}

function FactorRow({ factor, isLast }: { factor: Factor; isLast: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useRemoveFactor();
  const confirm = () =>
    remove.mutate(factor, {
      onSuccess: () => toast({ title: "Second factor removed" }),
      onError: (error) =>
        toast({ title: "It was not removed", description: errorMessage(error), destructive: true }),
    });
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <ShieldCheck className="size-5 text-forest" aria-hidden />
      <p className="min-w-40 grow">
        {factor.name}
        <span className="block text-sm text-muted">
          Added <RelativeTime at={factor.addedAt} />
        </span>
      </p>
      {isConfirming ? (
        <>
          <p className="w-full text-sm text-muted">
            {isLast ? "Your password alone will then open the account." : "Your other apps stay."}
          </p>
          <Button size="sm" variant="danger" busy={remove.isPending} onClick={confirm}>
            Remove
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setConfirming(false)}>
            Keep
          </Button>
        </>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Remove ${factor.name}`}
          onClick={() => setConfirming(true)}
        >
          Remove…
        </Button>
      )}
    </li>
  );
}
