import { Mail } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useDirectoryCount } from "~/features/waivers/api/directory";
import { DirectoryFilters } from "~/features/waivers/components/directory-filters";
import { DirectoryList } from "~/features/waivers/components/directory-list";
import { ExportButton } from "~/features/waivers/components/export-button";
import { useListing } from "~/features/waivers/use-listing";
import { Button } from "~/ui/button";
import { PageHeader } from "~/ui/page-header";
import { useWaiverInUrl } from "~/widgets/use-waiver-in-url";

const EmailDialog = lazy(() => import("~/features/mail/components/email-dialog"));

export const meta = () => [{ title: "Waiver Management · Cairn" }];

export default function Directory() {
  const [listing, changeListing] = useListing();
  const { data: total } = useDirectoryCount(listing);
  const { openRow, dialog } = useWaiverInUrl();
  const [isEmailOpen, setIsEmailOpen] = useState(false);

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
        onView={openRow}
      />
      {dialog}
      <Suspense>{isEmailOpen && <EmailDialog onClose={() => setIsEmailOpen(false)} />}</Suspense>
    </div>
  );
}
