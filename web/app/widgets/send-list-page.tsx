import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useAllowance } from "~/features/billing/api/allowance";
import { ListPage, type ListOwner } from "~/features/sending/components/list-page";
import { MAX_ROWS } from "~/features/sending/list/build-rows";
import { useTemplates } from "~/features/templates/api/templates";
import { TemplatesFailure } from "~/features/templates/components/templates-failure";
import { isBlank } from "~/features/templates/model";
import { paths } from "~/paths";
import { PageHeader } from "~/ui/page-header";
import { Skeleton } from "~/ui/skeleton";

type Props = { owner: ListOwner; templateId: string };

/** Sends a waiver to a list of people. `templateId` is the waiver that is chosen first. */
export default function SendListPage({ owner, templateId }: Props) {
  const { templates, isError, refetch } = useTemplates();
  const { data: allowance } = useAllowance();
  const [chosenId, setChosenId] = useState(templateId);
  const sendable = templates?.filter((template) => template.archivedAt === null && !isBlank(template));
  const template = sendable?.find(({ id }) => id === chosenId) ?? sendable?.[0];
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <Link
        to={paths.templates}
        className="-my-2 inline-flex min-h-11 items-center gap-2 self-start text-muted hover:text-foreground"
      >
        <ArrowLeft className="size-4.5 rtl:rotate-180" aria-hidden /> Add/Edit Waivers
      </Link>
      <PageHeader title="Send to a List">
        Paste your guests or choose a CSV file, up to {MAX_ROWS} people. You see each of them before anything
        is sent.
      </PageHeader>
      {!sendable && isError && <TemplatesFailure onRetry={() => void refetch()} />}
      {!sendable && !isError && <Loading />}
      {sendable && (
        <ListPage
          owner={owner}
          waiversThisMonth={allowance && leftThisMonth(allowance)}
          templates={sendable}
          template={template}
          onTemplate={setChosenId}
        />
      )}
    </div>
  );
}

function Loading() {
  return (
    <div role="status" className="animate-[fade_150ms_200ms_backwards]">
      <span className="sr-only">Loading templates...</span>
      <Skeleton className="h-96" />
    </div>
  );
}

const leftThisMonth = ({ sent, covered }: { sent: number; covered: number | null }): number | null =>
  covered === null ? null : Math.max(covered - sent, 0);
