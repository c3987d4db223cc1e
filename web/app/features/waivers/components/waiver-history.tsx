import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { useDownloadEvidence } from "../api/download-evidence";
import type { SignedRecord } from "../api/signed-waiver";
import { useWaiverHistory, type WaiverEvent } from "../api/waiver-history";

/** Shows everything that has happened to a waiver. The list is fetched when it is opened. */
export function WaiverHistory({ waiver }: { waiver: Pick<SignedRecord, "id" | "session_id"> }) {
  const [isOpen, setOpen] = useState(false);
  const { downloadPack, downloadHeads, isFetching } = useDownloadEvidence();
  const { data: events, isError } = useWaiverHistory(waiver.session_id, isOpen);
  return (
    <details className="group mt-5" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 rounded font-medium text-muted hover:text-foreground">
        <ChevronRight className="size-4.5 transition-transform group-open:rotate-90" aria-hidden />
        History
      </summary>
      {isError && (
        <p className="mt-1 text-sm text-muted">The history could not be loaded. Please open it again.</p>
      )}
      <ol className="mt-1 divide-y divide-line">
        {events?.map((event) => (
          <li key={event.event_id} className="flex flex-wrap gap-x-4 py-2">
            <span className="min-w-0 grow">
              {event.title}
              <span dir="auto" className="block text-sm wrap-break-word text-muted">
                {describe(event)}
              </span>
            </span>
            <time dateTime={event.at} className="text-sm text-muted">
              {exactTime(new Date(event.at))}
            </time>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm text-muted">
        The evidence pack has everything about this waiver for a lawyer. The signed heads show later whether a
        waiver has disappeared; keep them outside of this service.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={isFetching} onClick={() => void downloadPack(waiver.id)}>
          Download evidence pack
        </Button>
        <Button variant="secondary" size="sm" busy={isFetching} onClick={() => void downloadHeads()}>
          Export signed heads
        </Button>
      </div>
    </details>
  );
}

/** These details are shown, in this order. The evidence pack contains all of them. */
const SHOWN_DETAILS = ["signer_name", "recipient", "access", "reason", "language", "ip"];

function describe({ details }: WaiverEvent): string {
  return SHOWN_DETAILS.flatMap((name) => details[name] ?? []).join(" · ");
}
