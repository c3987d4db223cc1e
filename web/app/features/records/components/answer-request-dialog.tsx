import { ReasonDialog } from "~/ui/reason-dialog";
import { useAnswerRequest } from "../api/requests";

export type Decision = { request: { id: string; email: string }; isGranted: boolean };

export function AnswerRequestDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const { request, isGranted } = decision;
  const answer = useAnswerRequest();
  return (
    <ReasonDialog
      title={isGranted ? "Erase all waivers of this guest?" : "Refuse this request?"}
      description={
        isGranted
          ? `Everything that was signed with ${request.email} is removed for good. You then have no proof that this person signed.`
          : "The waivers stay, and the guest sees your reason."
      }
      confirmLabel={isGranted ? "Erase for good" : "Refuse"}
      keepLabel="Not now"
      hint={
        isGranted
          ? "The guest sees it. It stays in the history, so please do not name the person."
          : "The guest sees it."
      }
      isBusy={answer.isPending}
      problem={answer.error?.message ?? null}
      onConfirm={(reason) =>
        answer.mutate({ requestId: request.id, isGranted, reason }, { onSuccess: onClose })
      }
      onKeep={onClose}
    />
  );
}
