import { Mail } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { useDirectoryCount } from "~/features/waivers/api/directory";
import { DirectoryFilters } from "~/features/waivers/components/directory-filters";
import { DirectoryList } from "~/features/waivers/components/directory-list";
import { ExportButton } from "~/features/waivers/components/export-button";
import { fromList, recordPath, rowPath, type DirectoryRow } from "~/features/waivers/model";
import { useListing } from "~/features/waivers/use-listing";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { PageHeader } from "~/ui/page-header";

const EmailDialog = lazy(() => import("~/features/mail/components/email-dialog"));

export const meta = () => [{ title: "Waiver Management · Cairn" }];

export default function Directory() {
  const [listing, changeListing] = useListing();
  const { data: total } = useDirectoryCount(listing);
  const location = useLocation();
  const navigate = useNavigate();
  const [isEmailOpen, setIsEmailOpen] = useState(false);
  const openWaiver = useCallback(
    (row: DirectoryRow) => void navigate(rowPath(row), { state: fromList(location.search) }),
    [navigate, location.search],
  );
  const olderLink = pathOfLinkedWaiver(location.search);
  if (olderLink) return <Navigate replace to={olderLink} />;

  return (
    <div className="flex flex-col gap-5">
      <PageHeader
        title="Waiver Management"
        actions={
          <>
            <ExportButton listing={listing} total={total} />
            <Button variant="secondary" onClick={() => setIsEmailOpen(true)}>
              <Mail aria-hidden /> Email Settings
            </Button>
          </>
        }
      >
        Every waiver that was signed, and every one still waiting.
      </PageHeader>
      <DirectoryFilters listing={listing} onChange={changeListing} />
      {/* The key resets the selection when the listing changes. */}
      <DirectoryList
        key={JSON.stringify(listing)}
        listing={listing}
        total={total}
        onChange={changeListing}
        onView={openWaiver}
      />
      <Suspense>{isEmailOpen && <EmailDialog onClose={() => setIsEmailOpen(false)} />}</Suspense>
    </div>
  );
}

/** Webhooks and older emails contain links such as `?waiver={session}`. Returns the page of that waiver, or null. */
function pathOfLinkedWaiver(search: string): string | null {
  const query = new URLSearchParams(search);
  const sessionId = query.get("waiver");
  const recordId = query.get("record");
  if (!sessionId) return null;
  return recordId ? recordPath(sessionId, recordId) : paths.waiver(sessionId);
}
