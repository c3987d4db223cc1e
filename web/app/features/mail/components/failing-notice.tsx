import { CircleAlert } from "lucide-react";
import { exactTime } from "~/lib/dates";
import { Notice } from "~/ui/notice";
import { errorTitle, type Configuration } from "../model";

/** The email settings show this notice at the top while no email can be sent. */
export function FailingNotice({ savedConfiguration }: { savedConfiguration: Configuration }) {
  if (!savedConfiguration.failingSince) return null;
  return (
    <div role="alert">
      <Notice tone="red" icon={CircleAlert} title={errorTitle(savedConfiguration.provider)}>
        {withPeriod(savedConfiguration.lastError)} No email has been sent since{" "}
        {exactTime(new Date(savedConfiguration.failingSince))}. Copies and reminders are retried
        automatically; waivers you sent in the meantime can be sent again.
      </Notice>
    </div>
  );
}

/** Adds the final period that some providers leave out of their error messages. */
const withPeriod = (message: string | null): string => (message ? `${message.replace(/[.\s]+$/, "")}.` : "");
