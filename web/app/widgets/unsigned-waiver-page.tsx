import { Ban, BellRing, Link, Pencil, RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useSendAgain } from "~/features/sending/api/send-again";
import type { UnsignedWaiver } from "~/features/sending/api/unsigned-waiver";
import { CorrectRecipientDialog } from "~/features/sending/components/correct-recipient-dialog";
import { canSendAgain, sentWaiverState, hasLink } from "~/features/sending/sent-waiver";
import { WaiverText } from "~/features/signing/waiver-text";
import { useSendReminders } from "~/features/waivers/api/send-reminders";
import { CancelWaiverDialog } from "~/features/waivers/components/cancel-waiver-dialog";
import { Detail } from "~/features/waivers/components/detail";
import { NO_CONTENT, WaiverTextCard } from "~/features/waivers/components/waiver-text-card";
import { WaiverColumns, WaiverFrame } from "~/features/waivers/components/waiver-frame";
import { WaiverTimeline } from "~/features/waivers/components/waiver-timeline";
import { exactTime } from "~/lib/dates";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { copyLink } from "~/ui/copy-link";
import { Status } from "~/ui/status";
import { toast } from "~/ui/toast-store";

type Props = {
  waiver: UnsignedWaiver;
  companyName: string;
  /** When the waiver was fetched. */
  now: Date;
};

type Action = "correct" | "cancel";

/** Shows a waiver that is not signed: its history, its text, and what the company can do with it. */
export function UnsignedWaiverPage({ waiver, companyName, now }: Props) {
  const [action, setAction] = useState<Action | null>(null);
  const showReplacement = useShowReplacement();
  const close = () => setAction(null);
  const state = sentWaiverState(waiver, now);
  const isOver = state === "cancelled" || state === "expired" || state === "signed";
  const guest = waiver.recipient_name || "Anonymous";
  const names = { participant: waiver.recipient_name || "[PARTICIPANT NAME]", company: companyName };
  return (
    <WaiverFrame
      title={guest}
      template={waiver.template_name}
      status={isOver ? state : "pending"}
      actions={
        state !== "signed" &&
        state !== "cancelled" && <Actions waiver={waiver} now={now} onAction={setAction} />
      }
    >
      <WaiverColumns
        text={
          <WaiverTextCard>
            {waiver.template_content ? (
              <WaiverText content={waiver.template_content} names={names} headingLevel={2} />
            ) : (
              NO_CONTENT
            )}
          </WaiverTextCard>
        }
      >
        <Details waiver={waiver} now={now} />
        <WaiverTimeline sessionId={waiver.session_id} />
      </WaiverColumns>
      {action === "cancel" && (
        <CancelWaiverDialog sessionId={waiver.session_id} guest={guest} onKeep={close} onCancelled={close} />
      )}
      {action === "correct" && (
        <CorrectRecipientDialog waiver={waiver} onKeep={close} onCorrected={showReplacement} />
      )}
    </WaiverFrame>
  );
}

/** Says in a toast that the waiver is pending, unless the company has just corrected its recipient. */
export function usePendingToast(waiver: UnsignedWaiver | null | undefined): void {
  const isReplacement = asRecord(useLocation().state).isReplacement === true;
  const isPending = waiver?.session?.status === "pending";
  useEffect(() => {
    if (isPending && !isReplacement)
      toast({ title: "Waiver Pending", description: "This waiver has not been signed yet." });
  }, [isPending, isReplacement]);
}

/** A corrected waiver has a new session, whose page replaces this one. The link back to the list still works. */
function useShowReplacement(): (newSessionId: string) => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  return (newSessionId) =>
    void navigate(paths.waiver(newSessionId), {
      replace: true,
      state: { ...asRecord(state), isReplacement: true },
    });
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function Details({ waiver, now }: { waiver: UnsignedWaiver; now: Date }) {
  const state = sentWaiverState(waiver, now);
  const expiresAt = waiver.session?.expires_at;
  return (
    <Card aria-label="Recipient" className="p-5 sm:p-6">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-1">
        <Detail name="Email">{waiver.recipient_email || "None"}</Detail>
        {waiver.wasSent && state !== "cancelled" && state !== "expired" && state !== "signed" && (
          <Detail name="Last email">
            <Status kind={state} />
          </Detail>
        )}
        <Detail name="Created">{exactTime(new Date(waiver.createdAt))}</Detail>
        {expiresAt && (
          <Detail name={state === "expired" ? "Expired" : "Link expires"}>
            {exactTime(new Date(expiresAt))}
          </Detail>
        )}
        <Detail name="Session">
          <code className="text-sm">{waiver.session_id}</code>
        </Detail>
      </dl>
    </Card>
  );
}

type ActionsProps = { waiver: UnsignedWaiver; now: Date; onAction: (action: Action) => void };

function Actions({ waiver, now, onAction }: ActionsProps) {
  const resend = useSendAgain();
  const reminders = useSendReminders();
  const hasAddress = waiver.recipient_email !== "";
  const canSend = hasAddress && canSendAgain(waiver, now);
  const isLinkValid = hasLink(sentWaiverState(waiver, now));
  return (
    <>
      <Button disabled={!canSend} busy={resend.isPending} onClick={() => resend.mutate(waiver)}>
        {!resend.isPending && <RotateCw aria-hidden />} Send again
      </Button>
      {isLinkValid && hasAddress && (
        <Button
          variant="secondary"
          busy={reminders.isPending}
          onClick={() => reminders.mutate([waiver.session_id])}
        >
          {!reminders.isPending && <BellRing aria-hidden />} Remind
        </Button>
      )}
      {isLinkValid && (
        <Button variant="secondary" onClick={() => void copyLink(paths.signing(waiver.session_id))}>
          <Link aria-hidden /> Copy link
        </Button>
      )}
      <Button variant="secondary" onClick={() => onAction("correct")}>
        <Pencil aria-hidden /> Correct name or email
      </Button>
      <Button variant="secondary" onClick={() => onAction("cancel")}>
        <Ban aria-hidden /> Cancel waiver
      </Button>
    </>
  );
}
