import { HardDrive, Mail, Plus, Scale } from "lucide-react";
import { useState } from "react";
import { RecentlySent } from "~/features/sending/components/recently-sent";
import { useDefaultSessions } from "~/features/templates/api/default-sessions";
import { useTemplates } from "~/features/templates/api/templates";
import { TemplateGrid } from "~/features/templates/components/template-grid";
import type { Template } from "~/features/templates/model";
import { useCompanyAccount } from "~/layouts/company-layout";
import { Button } from "~/ui/button";
import { Failure } from "~/ui/failure";
import { Notice } from "~/ui/notice";
import { PageHeader } from "~/ui/page-header";
import { Skeleton } from "~/ui/skeleton";
import { TemplateDialogs, type OpenDialog } from "./template-dialogs";

export const meta = () => [{ title: "Add/Edit Waivers · Cairn" }];

const NONE: Template[] = [];

export default function Templates() {
  const account = useCompanyAccount();
  const { templates, isCopy, isError, refetch } = useTemplates();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  useDefaultSessions(isCopy ? NONE : (templates ?? NONE));

  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Add/Edit Waivers"
        actions={
          <>
            <Button variant="secondary" onClick={() => setOpen({ dialog: "email" })}>
              <Mail aria-hidden /> Email Settings
            </Button>
            <Button onClick={() => setOpen({ dialog: "create" })}>
              <Plus aria-hidden /> Create Waiver
            </Button>
          </>
        }
      >
        Write a waiver once, send it as often as you like.
      </PageHeader>
      <Notice icon={Scale} title="Before you send:">
        have a legal adviser review the final text of your waiver.
      </Notice>
      {isCopy && (
        <Notice tone="amber" icon={HardDrive}>
          The server cannot be reached. These templates are the copy kept in this browser.
        </Notice>
      )}
      {templates && (
        <TemplateGrid
          templates={templates}
          onView={(template) => setOpen({ dialog: "view", template })}
          onSend={(template) => setOpen({ dialog: "send", template })}
        />
      )}
      {!templates && !isError && <LoadingTemplates />}
      {!templates && isError && (
        <Failure title="Your templates could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. Nothing was lost.
        </Failure>
      )}
      <RecentlySent />
      <TemplateDialogs open={open} companyName={account.company?.name ?? ""} onClose={() => setOpen(null)} />
    </div>
  );
}

function LoadingTemplates() {
  return (
    <div role="status" className="grid grid-cols-1 gap-5 md:grid-cols-2 lg:grid-cols-3">
      <p className="col-span-full text-ink-soft">Loading templates...</p>
      <Skeleton className="h-72 rounded-card" />
      <Skeleton className="h-72 rounded-card" />
      <Skeleton className="h-72 rounded-card" />
    </div>
  );
}
