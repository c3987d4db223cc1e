import { useHoldWaiver, useReleaseHold } from "../api/waiver-actions";
import type { SignedRecord } from "../api/signed-waiver";
import { ReasonDialog } from "~/ui/reason-dialog";

type Props = { waiver: SignedRecord; onKeep: () => void; onDone: () => void };

/** Puts a waiver on legal hold, or releases the hold. */
export function HoldWaiverDialog({ waiver, onKeep, onDone }: Props) {
  const hold = useHoldWaiver();
  const release = useReleaseHold();
  const isHeld = waiver.held_since !== null;
  const action = isHeld ? release : hold;
  return (
    <ReasonDialog
      title={isHeld ? "Release the legal hold?" : "Put this waiver on legal hold?"}
      description={
        isHeld
          ? "The waiver can then be erased again, by you or by the time for which you keep waivers."
          : "It cannot be erased until you release the hold, for example while a claim is open."
      }
      confirmLabel={isHeld ? "Release hold" : "Put on hold"}
      keepLabel={isHeld ? "Keep the hold" : "Do not hold"}
      isBusy={action.isPending}
      problem={action.error?.message ?? null}
      onConfirm={(reason) => action.mutate({ waiverId: waiver.id, reason }, { onSuccess: onDone })}
      onKeep={onKeep}
    />
  );
}
