import { usePrefetchQuery } from "@tanstack/react-query";
import { HardDrive, Mail, Plus, Scale } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import { SentWaivers } from "~/features/sending/components/sent-waivers";
import { useArchiveTemplate } from "~/features/templates/api/archive-template";
import { useDefaultSessions } from "~/features/templates/api/default-sessions";
import { useDuplicateTemplate } from "~/features/templates/api/duplicate-template";
import { useTemplates } from "~/features/templates/api/templates";
import { TemplatesFailure } from "~/features/templates/components/templates-failure";
import { ArchivedTemplates } from "~/features/templates/components/archived-templates";
import { TemplateGrid } from "~/features/templates/components/template-grid";
import { TemplateSkeleton } from "~/features/templates/components/template-skeleton";
import type { Template } from "~/features/templates/model";
import { useCompanyAccount } from "~/layouts/company-layout";
import { readCache } from "~/lib/browser-cache";
import { textingQuery } from "~/lib/texting";
import { useConnectionState } from "~/lib/use-connection-state";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { copyLink } from "~/ui/copy-link";
import { OfflineCopyLabel } from "~/ui/offline-copy-label";
import { LoadingScreen } from "~/ui/loading-screen";
import { Notice } from "~/ui/notice";
import { PageHeader } from "~/ui/page-header";
import { Skeleton } from "~/ui/skeleton";
import { toast } from "~/ui/toast-store";
import { TemplateDialogs, type OpenDialog } from "~/widgets/template-dialogs";
import type { Route } from "./+types/templates";

export const meta = ({ location }: Pick<Route.MetaArgs, "location">) => {
  const page = new URLSearchParams(location.search).has("list") ? "Send to a List" : "Add/Edit Waivers";
  return [{ title: `${page} · Cairn` }];
};

// All renders use the same empty array, so that effects which depend on it do not run again.
const NO_TEMPLATES: Template[] = [];

// If this part cannot be loaded, the page works without it.
const UnfinishedList = lazy(() =>
  import("~/features/sending/components/unfinished-list").catch(() => ({ default: () => null })),
);
const InPersonPage = lazy(() => import("~/widgets/in-person-page"));
const SendListPage = lazy(() => import("~/widgets/send-list-page"));

/**
 * With the URL parameter `sign`, in-person signing is shown instead of the templates, and with `list` the page that sends
 * a template to a list. That page has no route of its own, because every page loads the list of all routes.
 */
export default function Templates() {
  const { id: userId, company } = useCompanyAccount();
  const [parameters] = useSearchParams();
  const [signParameter, setSignParameter] = useSignParameter();
  const close = useCallback(() => setSignParameter(null), [setSignParameter]);
  if (!signParameter) {
    const templateId = parameters.get("list");
    if (templateId === null) return <TemplatesPage onSign={setSignParameter} />;
    return (
      <Suspense fallback={<Skeleton className="h-96 max-w-4xl" />}>
        <SendListPage owner={{ userId, companyId: company?.id ?? "" }} templateId={templateId} />
      </Suspense>
    );
  }
  return (
    <Suspense fallback={<LoadingScreen />}>
      <InPersonPage
        signParameter={signParameter}
        company={company}
        onNextGuest={setSignParameter}
        onClose={close}
      />
    </Suspense>
  );
}

function TemplatesPage({ onSign }: { onSign: (templateId: string) => void }) {
  const { company } = useCompanyAccount();
  const { templates, isCopy, dataUpdatedAt, isError, refetch } = useTemplates();
  const connection = useConnectionState();
  const [, setParameters] = useSearchParams();
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const { archive, restore } = useArchiveTemplate();
  const duplicate = useDuplicateTemplate();
  const activeTemplates = templates?.filter(({ archivedAt }) => archivedAt === null);
  useDefaultSessions(isCopy || connection !== "online" ? NO_TEMPLATES : (activeTemplates ?? NO_TEMPLATES));
  // The query is prefetched, so that the phone field does not appear late in an open dialog.
  usePrefetchQuery(textingQuery);
  const view = (template: Template) => setOpenDialog({ dialog: "view", template });

  return (
    <div className="flex flex-col gap-6">
      <Header onOpen={(dialog) => setOpenDialog({ dialog })} />
      <Notice icon={Scale} title="Before you send:">
        have a legal adviser review the final text of your waiver.
      </Notice>
      {/* The code is loaded only if this browser has such a list. */}
      {readCache("listSending") !== null && (
        <Suspense>
          <UnfinishedList />
        </Suspense>
      )}
      <OfflineCopyLabel at={dataUpdatedAt} />
      {isCopy && (
        <Notice tone="amber" icon={HardDrive}>
          The server cannot be reached. These templates are the copy kept in this browser.
        </Notice>
      )}
      {activeTemplates && (
        <TemplateGrid
          templates={activeTemplates}
          actions={{
            view,
            send: (template) => setOpenDialog({ dialog: "send", template }),
            sendPdf: (template) => setOpenDialog({ dialog: "send-pdf", template }),
            sendList: ({ id }) => setParameters({ list: id }),
            sign: ({ id }) => (connection === "offline" ? toast(SIGNING_NEEDS_SERVER_TOAST) : onSign(id)),
            copyLink: ({ id, isSample }) =>
              void copyLink(paths.signingTemplate(id, isSample ? company?.id : undefined)),
            duplicate,
            archive,
          }}
        />
      )}
      {!templates && !isError && <LoadingTemplates />}
      {!templates && isError && <TemplatesFailure onRetry={() => void refetch()} />}
      <ArchivedTemplates
        templates={templates?.filter(({ archivedAt }) => archivedAt !== null) ?? NO_TEMPLATES}
        onView={view}
        onRestore={restore}
      />
      <SentWaivers />
      <TemplateDialogs
        openDialog={openDialog && withCurrentTemplate(openDialog, templates ?? NO_TEMPLATES)}
        companyName={company?.name ?? ""}
        onClose={() => setOpenDialog(null)}
      />
    </div>
  );
}

const SIGNING_NEEDS_SERVER_TOAST = {
  title: "You are offline",
  description: "Signing in person has to start online. A signing page that is already open works offline.",
};

/** The URL parameter `sign` opens in-person signing. Leaving it removes the parameter. */
function useSignParameter(): [string | null, (value: string | null) => void] {
  const [parameters, setParameters] = useSearchParams();
  const setValue = useCallback(
    (value: string | null) =>
      setParameters(
        (current) => {
          const next = new URLSearchParams(current);
          if (value === null) next.delete("sign");
          else next.set("sign", value);
          return next;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return [parameters.get("sign"), setValue];
}

/** Returns the dialog with the current version of its template, which can be saved in the open dialog. */
function withCurrentTemplate(dialog: OpenDialog, templates: Template[]): OpenDialog {
  if (!("template" in dialog)) return dialog;
  return { ...dialog, template: templates.find(({ id }) => id === dialog.template.id) ?? dialog.template };
}

function Header({ onOpen }: { onOpen: (dialog: "create" | "email") => void }) {
  return (
    <PageHeader
      title="Add/Edit Waivers"
      actions={
        <>
          <Button variant="secondary" onClick={() => onOpen("email")}>
            <Mail aria-hidden /> Email Settings
          </Button>
          <Button onClick={() => onOpen("create")}>
            <Plus aria-hidden /> Create Waiver
          </Button>
        </>
      }
    >
      Write a waiver once, send it as often as you like.
    </PageHeader>
  );
}

function LoadingTemplates() {
  return (
    <div
      role="status"
      className="grid animate-[fade_150ms_200ms_backwards] grid-cols-1 gap-5 md:grid-cols-2 lg:grid-cols-3"
    >
      <TemplateSkeleton>Loading templates...</TemplateSkeleton>
      <TemplateSkeleton />
      <TemplateSkeleton />
    </div>
  );
}
