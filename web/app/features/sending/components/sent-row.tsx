import { FileText, Link, RotateCw } from "lucide-react";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { copyLink } from "~/ui/copy-link";
import { RelativeTime } from "~/ui/relative-time";
import { RowText } from "~/ui/row-text";
import { Status } from "~/ui/status";
import { sentWaiverState, canSendAgain, hasLink, type SentWaiver } from "../sent-waiver";
import { TextMessageStatus } from "./text-message-status";

type Props = { waiver: SentWaiver; now: Date; isBusy: boolean; onSendAgain: () => void };

export function SentRow({ waiver, now, isBusy, onSendAgain }: Props) {
  const state = sentWaiverState(waiver, now);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <RowText name={waiver.recipient_name} className="basis-56">
        <p className="flex items-center gap-1.5 text-sm text-muted">
          {waiver.sent_as_pdf && <FileText role="img" aria-label="As PDF" className="size-4 shrink-0" />}
          <span className="truncate">
            {waiver.template_name} · {waiver.recipient_email}
          </span>
        </p>
        {state === "failed" && waiver.email_error && (
          <p className="text-sm wrap-break-word text-red-text">{waiver.email_error}</p>
        )}
        <TextMessageStatus waiver={waiver} />
      </RowText>
      <div className="flex items-center gap-3 text-sm">
        <Status kind={isBusy ? "sending" : state} />
        <span className="sm:w-24 sm:text-end">
          <RelativeTime at={waiver.sent_at} />
        </span>
      </div>
      <div className="flex gap-1 sm:w-56 sm:justify-end">
        {canSendAgain(waiver, now) && (
          <Button
            variant="ghost"
            size="sm"
            busy={isBusy}
            onClick={onSendAgain}
            aria-label={`Send again to ${waiver.recipient_name}`}
          >
            {!isBusy && <RotateCw aria-hidden />} Send again
          </Button>
        )}
        {hasLink(state) && (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => void copyLink(paths.signing(waiver.session_id))}
            aria-label={`Copy link for ${waiver.recipient_name}`}
          >
            <Link aria-hidden /> Copy link
          </Button>
        )}
      </div>
    </li>
  );
}
