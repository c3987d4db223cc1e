import { Ban, Link, Pencil, RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useSendAgain } from "~/features/sending/api/send-again";
import { useUnsignedWaiver, type UnsignedWaiver as Waiver } from "~/features/sending/api/unsigned-waiver";
import { CorrectRecipientDialog } from "~/features/sending/components/correct-recipient-dialog";
import { canSendAgain, deliveryState, hasLink } from "~/features/sending/sent-waiver";
import { CancelWaiverDialog } from "~/features/waivers/components/cancel-waiver-dialog";
import { Detail } from "~/features/waivers/components/detail";
import { WaiverHistory } from "~/features/waivers/components/waiver-history";
import { exactTime } from "~/lib/dates";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { copyLink } from "~/ui/copy-link";
import { Dialog } from "~/ui/dialog";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { Status } from "~/ui/status";
import { toast } from "~/ui/toast-store";

type Props = {
  sessionId: string;
  /** A toast says that the waiver is pending, unless the company has just corrected it. */
  isAnnounced: boolean;
  onClose: () => void;
  onReplaced: (newSessionId: string) => void;
};

/** Shows a waiver that is not signed: its history, and what the company can do with it. */
export default function UnsignedWaiver({ sessionId, isAnnounced, onClose, onReplaced }: Props) {
  const { data: waiver, dataUpdatedAt, isError, refetch } = useUnsignedWaiver(sessionId);
  const now = new Date(dataUpdatedAt);
  const [step, setStep] = useState<"overview" | "correct" | "cancel">("overview");
  const showOverview = () => setStep("overview");
  const isPending = waiver?.session?.status === "pending";
  useEffect(() => {
    if (isPending && isAnnounced)
      toast({ title: "Waiver Pending", description: "This waiver has not been signed yet." });
  }, [isPending, isAnnounced]);

  if (waiver && step === "cancel")
    return (
      <CancelWaiverDialog
        sessionId={sessionId}
        guest={guestName(waiver)}
        onKeep={showOverview}
        onCancelled={showOverview}
      />
    );
  if (waiver && step === "correct")
    return <CorrectRecipientDialog waiver={waiver} onKeep={showOverview} onCorrected={onReplaced} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={waiver ? guestName(waiver) : "Waiver"}
      description={waiver?.template_name ?? "Not signed yet"}
    >
      {waiver === undefined && !isError && <Skeleton className="h-48 w-full" />}
      {waiver === undefined && isError && (
        <Failure title="Failed to load waiver details" onRetry={() => void refetch()}>
          The server did not answer. Nothing was lost.
        </Failure>
      )}
      {waiver === null && (
        <EmptyState title="There is no such waiver">It may belong to another company.</EmptyState>
      )}
      {waiver && (
        <>
          <Details waiver={waiver} now={now} />
          <Actions
            waiver={waiver}
            now={now}
            onCorrect={() => setStep("correct")}
            onCancel={() => setStep("cancel")}
          />
          <WaiverHistory sessionId={sessionId} />
        </>
      )}
    </Dialog>
  );
}

const guestName = ({ recipient_name }: Waiver): string => recipient_name || "Anonymous";

function Details({ waiver, now }: { waiver: Waiver; now: Date }) {
  const state = deliveryState(waiver, now);
  const isOver = state === "cancelled" || state === "expired" || state === "signed";
  return (
    <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
      <Detail name="Status">
        <Status kind={isOver ? state : "pending"} />
      </Detail>
      <Detail name="Email">{waiver.recipient_email || "None"}</Detail>
      <Detail name="Created">{exactTime(new Date(waiver.createdAt))}</Detail>
      {waiver.session?.expires_at && (
        <Detail name={state === "expired" ? "Expired" : "Link expires"}>
          {exactTime(new Date(waiver.session.expires_at))}
        </Detail>
      )}
    </dl>
  );
}

type ActionsProps = { waiver: Waiver; now: Date; onCorrect: () => void; onCancel: () => void };

function Actions({ waiver, now, onCorrect, onCancel }: ActionsProps) {
  const resend = useSendAgain();
  const state = deliveryState(waiver, now);
  if (state === "signed" || state === "cancelled") return null;
  const canSend = waiver.recipient_email !== "" && canSendAgain(waiver, now);
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      <Button
        variant="secondary"
        size="sm"
        disabled={!canSend}
        busy={resend.isPending}
        onClick={() => resend.mutate(waiver)}
      >
        {!resend.isPending && <RotateCw aria-hidden />} Send again
      </Button>
      {hasLink(state) && (
        <Button variant="secondary" size="sm" onClick={() => void copyLink(paths.signing(waiver.session_id))}>
          <Link aria-hidden /> Copy link
        </Button>
      )}
      <Button variant="secondary" size="sm" onClick={onCorrect}>
        <Pencil aria-hidden /> Correct
      </Button>
      <Button variant="secondary" size="sm" onClick={onCancel}>
        <Ban aria-hidden /> Cancel waiver
      </Button>
    </div>
  );
}
