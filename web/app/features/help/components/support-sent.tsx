import { MailCheck } from "lucide-react";
import { Button } from "~/ui/button";
import { focusElement } from "~/ui/focus-element";
import type { Receipt } from "../api/send-support-message";

type Props = { receipt: Receipt; onWriteAnother: () => void };

export function SupportSent({ receipt, onWriteAnother }: Props) {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <MailCheck className="size-9 text-forest" strokeWidth={1.5} aria-hidden />
      <p ref={focusElement} tabIndex={-1} className="text-lg font-semibold outline-none">
        We have your message
      </p>
      <p className="text-muted">
        It is stored as <code>{receipt.id.slice(0, 8)}</code> and goes to the people who run this service.
        Their reply comes to {receipt.answerTo}.
      </p>
      <Button variant="secondary" onClick={onWriteAnother}>
        Write another
      </Button>
    </div>
  );
}
