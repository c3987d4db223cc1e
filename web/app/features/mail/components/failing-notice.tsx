import { CircleAlert } from "lucide-react";
import { exactTime } from "~/lib/dates";
import { Notice } from "~/ui/notice";
import { errorTitle, type Configuration } from "../model";

/** Nothing goes out: the first thing to see for whoever comes to look. */
export function FailingNotice({ saved }: { saved: Configuration }) {
  if (!saved.failingSince) return null;
  return (
    <div role="alert">
      <Notice tone="red" icon={CircleAlert} title={errorTitle(saved.provider)}>
        {sentence(saved.lastError)} No email has gone out since {exactTime(new Date(saved.failingSince))}.
        Copies and reminders are tried again by themselves; waivers you sent meanwhile can be sent again.
      </Notice>
    </div>
  );
}

/** Providers end their words as they like. */
const sentence = (words: string | null): string => (words ? `${words.replace(/[.\s]+$/, "")}.` : "");
