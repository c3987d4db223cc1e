import { MessageSquareText } from "lucide-react";
import { Notice } from "~/ui/notice";
import { inMessages } from "../several";

/** The question before many text messages go out, brought into view above the buttons that answer it. */
export function TextsAhead({ count }: { count: number }) {
  return (
    <div role="alert" ref={intoView} className="scroll-mb-44">
      <Notice tone="amber" icon={MessageSquareText} title={`${inMessages(count)}.`}>
        Each costs money and cannot be taken back.
      </Notice>
    </div>
  );
}

function intoView(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: "nearest" });
}
