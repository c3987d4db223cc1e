import { useRef, useState } from "react";
import { toast } from "~/ui/toast-store";
import type { Outcome, Sendable } from "../model";
import { summary, type Listed } from "../several";
import { useSendWaiver } from "./send-waiver";

type Sending = { template: Sendable; recipients: Listed[]; message: string; asPdf: boolean };

/** One after the other, each a sending of its own. Stopping lets the one on its way arrive. */
export function useSendSeveral() {
  const { mutateAsync } = useSendWaiver();
  const [done, setDone] = useState<number | null>(null);
  const isStopped = useRef(false);

  const send = async ({ template, recipients, message, asPdf }: Sending) => {
    const outcomes: Outcome[] = [];
    isStopped.current = false;
    for (const recipient of recipients) {
      if (isStopped.current) break;
      setDone(outcomes.length);
      outcomes.push(await mutateAsync({ template, recipient: { ...recipient, message, asPdf } }));
    }
    setDone(null);
    toast(summary(outcomes));
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { send, stop, done };
}
