import { MessageSquareText } from "lucide-react";
import type { SentWaiver } from "../sent-waiver";

const TEXTS = {
  sending: "Text message on its way to",
  delivered: "Text message sent to",
  failed: "Text message not sent to",
};

/** Shows the state of the text message that was sent with the email, if there is one. */
export function TextMessageStatus({ waiver }: { waiver: SentWaiver }) {
  if (!waiver.text_status) return null;
  const isFailed = waiver.text_status === "failed";
  return (
    <p className={`flex items-start gap-1.5 text-sm ${isFailed ? "text-red-text" : "text-muted"}`}>
      <MessageSquareText aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-break-word">
        {TEXTS[waiver.text_status]} <bdi>{waiver.recipient_phone}</bdi>
        {isFailed && waiver.text_error && `: ${waiver.text_error}`}
      </span>
    </p>
  );
}
