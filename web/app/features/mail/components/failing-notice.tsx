import { CircleAlert } from "lucide-react";
import { exactTime } from "~/lib/dates";
import { Notice } from "~/ui/notice";
import { errorTitle, type Configuration } from "../model";

/** Shown first in the dialog while no email can be sent. */
export function FailingNotice({ saved }: { saved: Configuration }) {
  if (!saved.failingSince) return null;
  return (
    <div role="alert">
      <Notice tone="red" icon={CircleAlert} title={errorTitle(saved.provider)}>
        {sentence(saved.lastError)} No email has been sent since {exactTime(new Date(saved.failingSince))}.
        Copies and reminders are retried automatically; waivers you sent in the meantime can be sent again.
      </Notice>
    </div>
  );
}

/** Error messages of providers end with or without a period. */
const sentence = (message: string | null): string => (message ? `${message.replace(/[.\s]+$/, "")}.` : "");
