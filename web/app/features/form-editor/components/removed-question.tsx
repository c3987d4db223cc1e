import { Undo2 } from "lucide-react";
import { focusElement } from "~/ui/focus-element";
import { NoticeButton } from "~/ui/notice";

/** Appears in the place of a question that was removed, until the next change. */
export function RemovedQuestion({ name, onUndo }: { name: string; onUndo: () => void }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-dashed border-edge/60 px-4 py-2 text-sm text-muted">
      <span dir="auto" className="min-w-0 wrap-break-word">
        {`'${name}' was removed.`}
      </span>
      <NoticeButton ref={focusElement} onClick={onUndo} className="scroll-mb-44">
        <Undo2 aria-hidden /> Undo
      </NoticeButton>
    </li>
  );
}
