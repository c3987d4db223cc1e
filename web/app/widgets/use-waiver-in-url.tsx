import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useFetchSignedWaiver, type SignedRecord } from "~/features/waivers/api/signed-waiver";
import type { DirectoryRow } from "~/features/waivers/model";
import { useConnectionState } from "~/lib/use-connection-state";
import { toast } from "~/ui/toast-store";
import { NOT_AVAILABLE_OFFLINE_TOAST } from "./use-view-signed-waiver";

const SignedWaiver = lazy(() => import("./signed-waiver"));
const UnsignedWaiver = lazy(() => import("./unsigned-waiver"));

/**
 * The open waiver is part of the URL, so that the link can be shared and the Back button closes the dialog.
 * `?waiver={sessionId}` opens the newest record of that session, and `&record={id}` a specific one.
 */
export function useWaiverInUrl() {
  const [query, setQuery] = useSearchParams();
  const [waiver, setWaiver] = useState<SignedRecord | null>(null);
  const [unsignedId, setUnsignedId] = useState<string | null>(null);
  const [replacementId, setReplacementId] = useState<string | null>(null);
  const fetchWaiver = useFetchSignedWaiver();
  const sessionId = query.get("waiver");
  const recordId = query.get("record");
  const isOffline = useConnectionState() === "offline";

  const setWaiverInUrl = useCallback(
    (row: OpenRow | null) =>
      setQuery((current) => withWaiver(current, row), { preventScrollReset: true, replace: row === null }),
    [setQuery],
  );
  useEffect(() => {
    setWaiver(null);
    setUnsignedId(null);
    if (sessionId === null) return;
    if (isOffline) return toast(NOT_AVAILABLE_OFFLINE_TOAST);
    let isStale = false;
    void fetchWaiver(recordId === null ? { sessionId } : { waiverId: recordId })
      .then((signedWaiver) => {
        if (isStale) return;
        setWaiver(signedWaiver);
        if (!signedWaiver) setUnsignedId(sessionId);
      })
      .catch(() => {
        if (!isStale)
          toast({ title: "Error", description: "Failed to load waiver details", destructive: true });
      });
    return () => {
      isStale = true;
    };
  }, [sessionId, recordId, isOffline, fetchWaiver]);

  const close = () => setWaiverInUrl(null);
  const dialog = (
    <Suspense>
      {waiver && <SignedWaiver waiver={waiver} onClose={close} />}
      {unsignedId !== null && (
        <UnsignedWaiver
          key={unsignedId}
          sessionId={unsignedId}
          isAnnounced={unsignedId !== replacementId}
          onClose={close}
          onReplaced={(newId) => {
            setReplacementId(newId);
            setWaiverInUrl({ id: newId, sessionId: newId, type: "pending" });
          }}
        />
      )}
    </Suspense>
  );
  return { openRow: setWaiverInUrl, dialog };
}

type OpenRow = Pick<DirectoryRow, "id" | "sessionId" | "type">;

function withWaiver(query: URLSearchParams, row: OpenRow | null): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete("waiver");
  next.delete("record");
  if (row) next.set("waiver", row.sessionId);
  if (row?.type === "signed") next.set("record", row.id);
  return next;
}
