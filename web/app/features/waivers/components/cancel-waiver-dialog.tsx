import { useCancelWaiver } from "../api/waiver-actions";
import { ReasonDialog } from "~/ui/reason-dialog";

type Props = { sessionId: string; guest: string; onKeep: () => void; onCancelled: () => void };

export function CancelWaiverDialog({ sessionId, guest, onKeep, onCancelled }: Props) {
  const cancel = useCancelWaiver();
  return (
    <ReasonDialog
      title="Cancel this waiver?"
      description={`${guest} can no longer sign it, and its link says so. You cannot undo this, but you can send a new waiver.`}
      confirmLabel="Cancel waiver"
      keepLabel="Keep it"
      isBusy={cancel.isPending}
      problem={cancel.error?.message ?? null}
      onConfirm={(reason) => cancel.mutate({ sessionId, reason }, { onSuccess: onCancelled })}
      onKeep={onKeep}
    />
  );
}
