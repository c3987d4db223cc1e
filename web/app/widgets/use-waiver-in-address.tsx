import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useFetchSignedWaiver, type SignedRecord } from "~/features/waivers/api/signed-waiver";
import type { DirectoryRow } from "~/features/waivers/model";
import { useReach } from "~/lib/use-reach";
import { toast } from "~/ui/toast-store";
import { NOT_AVAILABLE_OFFLINE } from "./use-view-signed-waiver";

const SignedWaiver = lazy(() => import("./signed-waiver"));

/**
 * The open waiver is part of the address, so that the link can be shared and Back closes the dialog:
 * `?waiver={sessionId}` is the newest record of that session, and `&record={id}` a specific one.
 */
export function useWaiverInAddress() {
  const [query, setQuery] = useSearchParams();
  const [waiver, setWaiver] = useState<SignedRecord | null>(null);
  const fetchWaiver = useFetchSignedWaiver();
  const sessionId = query.get("waiver");
  const record = query.get("record");
  const isOffline = useReach() === "offline";

  const setAddress = useCallback(
    (row: DirectoryRow | null) =>
      setQuery((now) => withWaiver(now, row), { preventScrollReset: true, replace: row === null }),
    [setQuery],
  );
  useEffect(() => {
    setWaiver(null);
    if (sessionId === null) return;
    if (isOffline) return toast(NOT_AVAILABLE_OFFLINE);
    let isStale = false;
    void fetchWaiver(record === null ? { sessionId } : { waiverId: record })
      .then((found) => {
        if (isStale) return;
        setWaiver(found);
        if (!found) toast({ title: "Waiver Pending", description: "This waiver has not been signed yet." });
      })
      .catch(() => {
        if (!isStale)
          toast({ title: "Error", description: "Failed to load waiver details", destructive: true });
      });
    return () => {
      isStale = true;
    };
  }, [sessionId, record, isOffline, fetchWaiver]);

  const dialog = (
    <Suspense>{waiver && <SignedWaiver waiver={waiver} onClose={() => setAddress(null)} />}</Suspense>
  );
  return { openRow: setAddress, dialog };
}

function withWaiver(query: URLSearchParams, row: DirectoryRow | null): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete("waiver");
  next.delete("record");
  if (row) next.set("waiver", row.sessionId);
  if (row?.type === "signed") next.set("record", row.id);
  return next;
}
