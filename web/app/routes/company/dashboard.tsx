import { BellRing, CircleAlert, Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { CompanyNameForm } from "~/features/account/components/company-name-form";
import { useFirstSteps } from "~/features/first-steps/api/first-steps";
import { FirstSteps } from "~/features/first-steps/components/first-steps";
import { useOverview, type Overview } from "~/features/waivers/api/overview";
import { RecentWaivers } from "~/features/waivers/components/recent-waivers";
import { StatCards } from "~/features/waivers/components/stat-cards";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { OfflineCopyLabel } from "~/ui/offline-copy-label";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { Notice } from "~/ui/notice";
import { PageHeader } from "~/ui/page-header";
import { useViewSignedWaiver } from "~/widgets/use-view-signed-waiver";
import { LinkButton } from "~/ui/link-button";

const SendRemindersDialog = lazy(() => import("~/features/waivers/components/send-reminders-dialog"));

export const meta = () => [{ title: "Dashboard · Cairn" }];

export default function Dashboard() {
  const account = useCompanyAccount();
  const { data: overview, dataUpdatedAt, isError, refetch } = useOverview();
  const hasName = account.company?.name !== "";
  const pendingCount = overview?.pending ?? 0;
  const isFailed = isError && !overview;
  const reminders = useRemindersDialog();
  // The first steps are fetched together with the numbers, so that they do not push the numbers down when they arrive.
  useFirstSteps(account.id);

  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Dashboard"
        actions={
          <>
            <Button variant="secondary" onClick={reminders.open}>
              <BellRing aria-hidden /> Send Reminders
            </Button>
            <LinkButton to={paths.templates} variant={hasName ? "primary" : "secondary"}>
              <Plus aria-hidden /> Create Waiver
            </LinkButton>
          </>
        }
      >
        Who has signed, and who you are still waiting for.
      </PageHeader>
      {!hasName && (
        <Card className="p-5 sm:p-6" aria-labelledby="name-company">
          <h2 id="name-company" className="text-lg font-semibold">
            First, what is your company called?
          </h2>
          <p className="mt-1 mb-5 max-w-prose text-muted">
            Your company name appears on every waiver you send. You can change it later in your profile.
          </p>
          <CompanyNameForm account={account} />
        </Card>
      )}
      {hasName && !isFailed && (
        <FirstSteps
          userId={account.id}
          hasSent={overview && overview.total > 0}
          hasSigned={overview && overview.signed + overview.revoked > 0}
        />
      )}
      <OfflineCopyLabel at={overview ? dataUpdatedAt : 0} />
      <StatCards overview={overview} isUnknown={isFailed} />
      <Card aria-labelledby="recent-waivers">
        <h2 id="recent-waivers" className="border-b border-line px-4 py-4 font-semibold sm:px-5">
          Recent Waivers
        </h2>
        {pendingCount > 0 && <ActionRequired count={pendingCount} />}
        {isFailed ? (
          <Failure title="Failed to fetch data" onRetry={() => void refetch()}>
            Could not retrieve waiver information
          </Failure>
        ) : (
          <RecentContent overview={overview} />
        )}
      </Card>
      <Suspense>{reminders.isOpen && <SendRemindersDialog onClose={reminders.close} />}</Suspense>
    </div>
  );
}

/** The parameter `remind` in the URL opens the dialog, so that the command menu can open it from any page. */
function useRemindersDialog() {
  const [query, setQuery] = useSearchParams();
  return {
    isOpen: query.has("remind"),
    open: () => setQuery({ remind: "" }),
    close: () => setQuery({}, { replace: true }),
  };
}

/** The notice is inside the card of the list, because only one banner may be shown above the page. */
function ActionRequired({ count }: { count: number }) {
  return (
    <div className="px-4 py-3 sm:px-5">
      <Notice
        tone="amber"
        icon={CircleAlert}
        title="Action Required"
        action={
          <Link
            to={paths.directoryStatus("pending")}
            className="-my-2.5 inline-flex min-h-11 items-center font-medium underline underline-offset-4"
          >
            See who is missing
          </Link>
        }
      >
        {count === 1 ? "1 waiver is" : `${count.toLocaleString("en")} waivers are`} still waiting for a
        signature.
      </Notice>
    </div>
  );
}

function RecentContent({ overview }: { overview: Overview | undefined }) {
  const { view, dialog } = useViewSignedWaiver();
  if (overview?.total === 0) {
    return (
      <EmptyState
        title="No waiver data available"
        action={
          <LinkButton to={paths.templates} variant="secondary">
            Create Your First Waiver
          </LinkButton>
        }
      >
        Choose a template, send it to a guest, and it will be listed here.
      </EmptyState>
    );
  }
  return (
    <>
      <RecentWaivers sessions={overview?.recent} onView={(session) => void view(session.id)} />
      {dialog}
    </>
  );
}
