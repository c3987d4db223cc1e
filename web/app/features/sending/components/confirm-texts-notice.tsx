import { MessageSquareText } from "lucide-react";
import { Notice } from "~/ui/notice";

/** Warns before text messages are sent, and scrolls into view above the buttons. */
export function ConfirmTextsNotice({ count }: { count: number }) {
  return (
    <div role="alert" ref={scrollIntoView} className="scroll-mb-44">
      <Notice tone="amber" icon={MessageSquareText} title={`${textMessageCountSentence(count)}.`}>
        Each costs money and cannot be undone.
      </Notice>
    </div>
  );
}

function scrollIntoView(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: "nearest" });
}

const textMessageCountSentence = (count: number): string =>
  `${count} text ${count === 1 ? "message" : "messages"} will be sent in addition to the emails`;
