import { Mail } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { DIRECTORY_LIMIT, useDirectory } from "~/features/waivers/api/directory";
import { DirectoryTable } from "~/features/waivers/components/directory-table";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { PageHeader } from "~/ui/page-header";
import { useOpenWaiver } from "./open-waiver";

const EmailDialog = lazy(() => import("~/features/mail/components/email-dialog"));

export const meta = () => [{ title: "Waiver Management · Cairn" }];

export default function Directory() {
  const { data, isError, refetch } = useDirectory();
  const [emailOpen, setEmailOpen] = useState(false);
  const { openRow, dialog } = useOpenWaiver();

  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Waiver Management"
        actions={
          <Button variant="secondary" onClick={() => setEmailOpen(true)}>
            <Mail aria-hidden /> Email Settings
          </Button>
        }
      >
        Every waiver that was signed, and every one still waiting.
      </PageHeader>
      <Card>
        {isError && !data && (
          <Failure title="Failed to load waivers" onRetry={() => void refetch()}>
            The server did not answer. Your waivers are safe there.
          </Failure>
        )}
        {data?.rows.length === 0 && <EmptyState title="No waivers found." />}
        {data?.rows.length !== 0 && (data ?? !isError) && (
          <DirectoryTable rows={data?.rows} onView={(row) => void openRow(row)} />
        )}
      </Card>
      {data?.isCut && (
        <p className="text-sm text-ink-soft">The newest {DIRECTORY_LIMIT} of each kind are listed.</p>
      )}
      <Suspense>{emailOpen && <EmailDialog onClose={() => setEmailOpen(false)} />}</Suspense>
      {dialog}
    </div>
  );
}
