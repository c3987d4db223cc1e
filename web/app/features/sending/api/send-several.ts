import { useRef, useState } from "react";
import { toast } from "~/ui/toast-store";
import type { Outcome, Sendable } from "../model";
import { summaryToast, type ListedRecipient } from "../recipient-list";
import { useSendWaiver } from "./send-waiver";

type SendRequest = { template: Sendable; recipients: ListedRecipient[]; message: string; asPdf: boolean };

/** Sends to one recipient after the other. Stopping does not cancel the request that is in progress. */
export function useSendSeveral() {
  const { mutateAsync } = useSendWaiver();
  const [done, setDone] = useState<number | null>(null);
  const isStopped = useRef(false);

  const send = async ({ template, recipients, message, asPdf }: SendRequest) => {
    const outcomes: Outcome[] = [];
    isStopped.current = false;
    for (const recipient of recipients) {
      if (isStopped.current) break;
      setDone(outcomes.length);
      outcomes.push(await mutateAsync({ template, recipient: { ...recipient, message, asPdf } }));
    }
    setDone(null);
    toast(summaryToast(outcomes));
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { send, stop, done };
}
