import { useEraseWaiver } from "../api/waiver-actions";
import type { SignedRecord } from "../api/signed-waiver";
import { ReasonDialog } from "~/ui/reason-dialog";

type Props = { waiver: SignedRecord; onKeep: () => void; onErased: () => void };

export function EraseWaiverDialog({ waiver, onKeep, onErased }: Props) {
  const erase = useEraseWaiver();
  return (
    <ReasonDialog
      title="Erase this waiver?"
      description={`The name, the address and the signature of ${waiver.signer_name}, the document and the emails are removed for good. You then have no proof that this person signed.`}
      confirmLabel="Erase for good"
      keepLabel="Keep it"
      hint="Kept in the history after the erasure, so please do not name the person."
      isBusy={erase.isPending}
      problem={erase.error?.message ?? null}
      onConfirm={(reason) => erase.mutate({ waiverId: waiver.id, reason }, { onSuccess: onErased })}
      onKeep={onKeep}
    />
  );
}
