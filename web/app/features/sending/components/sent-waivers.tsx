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
  const { data: sent, dataUpdatedAt, isError, isFetching, refetch } = useSentWaivers(rowCount);
  const resend = useSendAgain();
  const isUnreachable = useConnectionState() !== "online";
  const now = new Date(dataUpdatedAt);
  if (!sent && !isError) return null;
  if (sent?.rows.length === 0) return null;
  return (
    <Card aria-labelledby="recently-sent">
      <div className="border-b border-line px-5 py-4">
        <h2 id="recently-sent" className="font-semibold">
          Recently sent
        </h2>
        <OfflineCopyLabel at={sent ? dataUpdatedAt : 0} />
      </div>
      {!sent && (
        <Failure title="What you sent could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. Nothing was lost.
        </Failure>
      )}
      <ul className="divide-y divide-line">
        {sent?.rows.map((record) => (
          <SentRow
            key={record.id}
            sent={record}
            now={now}
            isBusy={resend.isPending && resend.variables.id === record.id}
            onSendAgain={() => resend.mutate(record)}
          />
        ))}
      </ul>
      {sent?.hasMore && !isUnreachable && (
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
