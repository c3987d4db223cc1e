import { useState } from "react";
import { useConnectionState } from "~/lib/use-connection-state";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { OfflineCopyLabel } from "~/ui/offline-copy-label";
import { Failure } from "~/ui/failure";
import { useSendAgain } from "../api/send-again";
import { PAGE_SIZE, useSentWaivers } from "../api/sent-waivers";
import { SentRow } from "./sent-row";

/** Lists the sent waivers and their state, newest first. */
export function SentWaivers() {
  const [rowCount, setRowCount] = useState(PAGE_SIZE);
  const { data: list, dataUpdatedAt, isError, isFetching, refetch } = useSentWaivers(rowCount);
  const resend = useSendAgain();
  const isUnreachable = useConnectionState() !== "online";
  // The states are shown as they were when the list was fetched, which may be long ago for an offline copy.
  const now = new Date(dataUpdatedAt);
  if (!list && !isError) return null;
  if (list?.rows.length === 0) return null;
  return (
    <Card aria-labelledby="recently-sent">
      <div className="border-b border-line px-5 py-4">
        <h2 id="recently-sent" className="font-semibold">
          Recently sent
        </h2>
        <OfflineCopyLabel at={list ? dataUpdatedAt : 0} />
      </div>
      {!list && (
        <Failure title="What you sent could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. Nothing was lost.
        </Failure>
      )}
      <ul className="divide-y divide-line">
        {list?.rows.map((waiver) => (
          <SentRow
            key={waiver.id}
            waiver={waiver}
            now={now}
            isBusy={resend.isPending && resend.variables.id === waiver.id}
            onSendAgain={() => resend.mutate(waiver)}
          />
        ))}
      </ul>
      {list?.hasMore && !isUnreachable && (
        <div className="border-t border-line p-3 text-center">
          <Button
            variant="ghost"
            size="sm"
            busy={isFetching}
            onClick={() => setRowCount(rowCount + PAGE_SIZE)}
          >
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}
