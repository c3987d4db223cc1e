import { useRef, useState } from "react";
import { toast } from "~/ui/toast-store";
import type { Outcome, SendableTemplate } from "../model";
import { summaryToast, type ListedRecipient } from "../recipient-list";
import { useSendWaiver } from "./send-waiver";

type SendRequest = {
  template: SendableTemplate;
  recipients: ListedRecipient[];
  message: string;
  asPdf: boolean;
};

/**
 * Sends the waiver to one recipient after the other. Stopping does not cancel the request that is in progress.
 * `sentCount` is null while nothing is being sent.
 */
export function useSendSeveral() {
  const { mutateAsync } = useSendWaiver();
  const [sentCount, setSentCount] = useState<number | null>(null);
  const isStopped = useRef(false);

  const send = async ({ template, recipients, message, asPdf }: SendRequest) => {
    const outcomes: Outcome[] = [];
    isStopped.current = false;
    for (const recipient of recipients) {
      if (isStopped.current) break;
      setSentCount(outcomes.length);
      outcomes.push(await mutateAsync({ template, recipient: { ...recipient, message, asPdf } }));
    }
    setSentCount(null);
    toast(summaryToast(outcomes));
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { send, stop, sentCount };
}
