import { CirclePause } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Notice, NoticeButton } from "~/ui/notice";
import type { Pause } from "../api/send-listed";
import { countRows, isFinished, runTitle, type ListRun, type UnsentRow } from "../list/list-run";
import { closeRun, continueRun, sendFailedRowsAgain, stopRun } from "../list/run-store";
import type { SendableTemplate } from "../model";
import { DiscardRestDialog } from "./discard-rest-dialog";
import { RunRows } from "./list-run-rows";
import { UnsentRows } from "./unsent-rows";
import { useFocusIfLost } from "./use-focus-if-lost";

type Props = {
  run: ListRun;
  isSending: boolean;
  pause: Pause | null;
  /** Undefined if the template no longer exists. Then nothing more can be sent. */
  template: SendableTemplate | undefined;
};

/** Shows how far sending is, and then the outcome of each row. */
export function ListRunView({ onFix, ...props }: Props & { onFix: (rows: UnsentRow[]) => void }) {
  const { run, isSending, pause, template } = props;
  const { total, done } = countRows(run);
  const isOver = !isSending && isFinished(run);
  const title = useRunTitle(`${isSending} ${isOver}`);
  return (
    <>
      <Card aria-labelledby="run-title">
        <div className="flex flex-col gap-4 border-b border-line px-4 py-5 sm:px-5">
          <div>
            <h2 id="run-title" ref={title} tabIndex={-1} className="text-lg font-semibold outline-none">
              {isSending ? `Sending: ${done} of ${total}` : runTitle(run)}
            </h2>
            <p dir="auto" className="text-muted">
              {run.templateName}
            </p>
            {/* The count in the title changes too often to be read aloud. */}
            <p role="status" className="sr-only">
              {isSending ? "Sending" : runTitle(run)}
            </p>
          </div>
          {!isOver && <Progress done={done} total={total} />}
          {isSending && <p className="text-sm text-muted">{CONTINUES}</p>}
          {!isSending && !isOver && <PauseNotice pause={pause} run={run} template={template} />}
          <RunActions {...props} isOver={isOver} />
        </div>
        <RunRows rows={run.rows} isSending={isSending} template={template} />
      </Card>
      {run.unsent.length > 0 && (
        <UnsentRows rows={run.unsent} {...(isOver && { onFix: () => onFix(run.unsent) })} />
      )}
    </>
  );
}

const CONTINUES =
  "You can look at other pages meanwhile. If you close the browser, you can continue here later, and no one gets two emails.";

/** The preview is gone, so the keyboard continues at the title, and again if a button disappears when sending ends. */
function useRunTitle(phase: string) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useFocusIfLost(title, phase);
  return title;
}

function RunActions({ run, isSending, pause, template, isOver }: Props & { isOver: boolean }) {
  const [isDiscarding, setDiscarding] = useState(false);
  const { total, done, failed } = countRows(run);
  const isStopping = pause?.kind === "stopped";
  return (
    <div className="flex flex-wrap gap-3 empty:hidden max-sm:[&>*]:grow">
      {isSending && (
        <Button variant="secondary" busy={isStopping} onClick={stopRun}>
          {isStopping ? "Stopping" : "Stop"}
        </Button>
      )}
      {isOver && failed > 0 && template && (
        <Button onClick={() => void sendFailedRowsAgain(template)}>
          {failed === 1 ? "Try 1 again" : `Try all ${failed} again`}
        </Button>
      )}
      {isOver && (
        <Button variant="secondary" onClick={closeRun}>
          Send another list
        </Button>
      )}
      {!isSending && !isOver && (
        <Button variant="secondary" onClick={() => setDiscarding(true)}>
          {total - done === 1 ? "Do not send the last one" : `Do not send the other ${total - done}`}
        </Button>
      )}
      {isDiscarding && (
        <DiscardRestDialog count={total - done} onKeep={() => setDiscarding(false)} onDiscard={closeRun} />
      )}
    </div>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div
      role="progressbar"
      aria-label="Sent"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className="h-2.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className="h-full rounded-full bg-forest transition-[width] duration-300 motion-reduce:transition-none"
        style={{ width: `${(100 * done) / Math.max(total, 1)}%` }}
      />
    </div>
  );
}

/** Says why sending has stopped, and continues it. */
function PauseNotice({ pause, run, template }: Omit<Props, "isSending">) {
  const { total, done } = countRows(run);
  const left = total - done;
  const rest = `${left === 1 ? "1 person has" : `${left} people have`} not received the waiver yet.`;
  if (!template)
    return (
      <Notice tone="amber" icon={CirclePause} title={rest}>
        The template was archived, so the others cannot be sent. Restore it to continue.
      </Notice>
    );
  const continues = pause?.kind === "unreachable" ? "Sending continues as soon as the server responds." : "";
  return (
    <div role="alert">
      <Notice
        tone="amber"
        icon={CirclePause}
        title={rest}
        action={<NoticeButton onClick={() => void continueRun(template)}>Continue</NoticeButton>}
      >
        {[pause && pause.kind !== "stopped" ? pause.reason : "", continues].filter(Boolean).join(" ")}
      </Notice>
    </div>
  );
}
