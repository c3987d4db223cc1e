import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useOpenSignedWaiver, type Wanted } from "~/features/waivers/api/signed-waiver";
import type { DirectoryRow } from "~/features/waivers/model";
import type { SignedWaiverRow } from "~/lib/database";
import { toast } from "~/ui/toast-store";

const SignedWaiver = lazy(() => import("./signed-waiver"));

/** Opens a waiver from its row, or from the address (`?waiver={sessionId}`), which closing takes back. */
export function useOpenWaiver() {
  const [waiver, setWaiver] = useState<SignedWaiverRow | null>(null);
  const [query, setQuery] = useSearchParams();
  const open = useOpenSignedWaiver();
  const asked = query.get("waiver");

  const show = useCallback(
    async (wanted: Wanted) => {
      try {
        const found = await open(wanted);
        if (found) setWaiver(found);
        else toast({ title: "Waiver Pending", description: "This waiver has not been signed yet." });
      } catch {
        toast({ title: "Error", description: "Failed to load waiver details", destructive: true });
      }
    },
    [open],
  );
  useEffect(() => {
    if (asked) void show({ sessionId: asked });
  }, [asked, show]);

  const openRow = (row: DirectoryRow) =>
    show(row.type === "signed" ? { waiverId: row.id } : { sessionId: row.sessionId });
  const close = () => {
    setWaiver(null);
    setQuery((now) => {
      now.delete("waiver");
      return now;
    });
  };
  const dialog = <Suspense>{waiver && <SignedWaiver waiver={waiver} onClose={close} />}</Suspense>;
  return { openRow, dialog };
}
