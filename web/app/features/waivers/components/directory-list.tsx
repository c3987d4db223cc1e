import { cx } from "class-variance-authority";
import { useEffect, useMemo } from "react";
import { MAX_COUNT, useDirectory } from "../api/directory";
import { DirectoryTable } from "./directory-table";
import { SelectionBar } from "./selection-bar";
import { NO_FILTERS, type DirectoryRow, type Listing } from "../model";
import { useSelection, type Selection } from "../use-selection";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { OfflineCopyLabel } from "~/ui/offline-copy-label";
import { Failure } from "~/ui/failure";
import { EmptyDirectory } from "./empty-directory";

type Props = {
  listing: Listing;
  total: number | undefined;
  onChange: (change: Partial<Listing>) => void;
  onView: (row: DirectoryRow) => void;
};

export function DirectoryList({ listing, total, onChange, onView }: Props) {
  const directory = useDirectory(listing);
  const { data, isError, fetchStatus, isPlaceholderData, refetch } = directory;
  const rows = useMemo(() => data?.pages.flat(), [data]);
  const selection = useSelection(JSON.stringify(listing));
  useClearOnEscape(selection);

  if (!rows && (isError || fetchStatus === "paused")) {
    return (
      <Card>
        <Failure title="Failed to load waivers" onRetry={() => void refetch()}>
          The server did not answer. Your waivers are safe there.
        </Failure>
      </Card>
    );
  }
  return (
    <>
      <p role="status" className="-mb-2 min-h-5 text-sm text-muted tabular-nums">
        {total !== undefined && total > 0 && countLabel(total)}
      </p>
      <OfflineCopyLabel at={rows ? directory.dataUpdatedAt : 0} />
      <Card className={cx("transition-opacity", isPlaceholderData && "opacity-60")}>
        {rows?.length === 0 ? (
          <EmptyDirectory listing={listing} onReset={() => onChange(NO_FILTERS)} />
        ) : (
          <DirectoryTable
            rows={rows}
            order={listing.order}
            selection={selection}
            onOrder={(order) => onChange({ order })}
            onView={onView}
            onNearEnd={() => {
              const { hasNextPage, isFetchNextPageError } = directory;
              if (hasNextPage && fetchStatus === "idle" && !isFetchNextPageError)
                void directory.fetchNextPage();
            }}
          />
        )}
        {directory.isFetchNextPageError && <NextPageFailure onRetry={() => void directory.fetchNextPage()} />}
      </Card>
      {selection.rows.length > 0 && <SelectionBar selection={selection} />}
    </>
  );
}

function countLabel(total: number): string {
  if (total >= MAX_COUNT) return `${MAX_COUNT.toLocaleString("en")} waivers or more`;
  return total === 1 ? "1 waiver" : `${total.toLocaleString("en")} waivers`;
}

/** Escape clears the selection, unless a dialog or menu has already handled the key. */
function useClearOnEscape(selection: Selection): void {
  const hasSelection = selection.rows.length > 0;
  useEffect(() => {
    if (!hasSelection) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) selection.set([]);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [hasSelection, selection]);
}

function NextPageFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-center gap-3 p-4 text-muted">
      The rows that follow could not be loaded.
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
