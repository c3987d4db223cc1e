import { Download } from "lucide-react";
import { useOutletContext } from "react-router";
import { SignInAgain, UnverifiedEmail } from "~/features/account/components/email-address-states";
import type { Account } from "~/features/account/model";
import { useMyWaivers, type MyWaiversResult } from "~/features/guest/api/my-waivers";
import { SignButton } from "~/features/guest/components/sign-button";
import { WaiverList } from "~/features/guest/components/waiver-list";
import { WaiverListSkeleton } from "~/features/guest/components/waiver-list-skeleton";
import { useDownloadDocument } from "~/features/waivers/api/download-document";
import type { MyWaiverRow } from "~/lib/database";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { OfflineCopyLabel } from "~/ui/offline-copy-label";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { PageHeader } from "~/ui/page-header";

export const meta = () => [{ title: "My Waivers · Cairn" }];

export default function MyWaivers() {
  const account = useOutletContext<Account>();
  const { data: result, dataUpdatedAt, isError, refetch } = useMyWaivers();
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="My Waivers">
        Signed in as <span className="wrap-anywhere">{account.email}</span>
      </PageHeader>
      <OfflineCopyLabel at={result ? dataUpdatedAt : 0} />
      {result && <Waivers result={result} account={account} />}
      {!result && !isError && <WaiverListSkeleton />}
      {!result && isError && (
        <Card>
          <Failure title="Your waivers could not be loaded" onRetry={() => void refetch()}>
            The server did not answer. Nothing was lost; please try again.
          </Failure>
        </Card>
      )}
    </div>
  );
}

type WaiversProps = { result: MyWaiversResult; account: Account };

function Waivers({ result: { address, waivers }, account }: WaiversProps) {
  if (address === "unverified") return <UnverifiedEmail account={account} />;
  if (address === "sign in again") return <SignInAgain account={account} />;
  if (waivers.unsigned.length + waivers.signed.length === 0) {
    return (
      <Card>
        <EmptyState title="No waivers yet">
          When a company sends a waiver to <span className="wrap-anywhere">{account.email}</span>, or you sign
          one with this address, it is listed here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <WaiverList
        id="to-sign"
        title="Waiting for your signature"
        waivers={waivers.unsigned}
        action={unsignedAction}
      />
      <WaiverList
        id="signed"
        title="Signed"
        waivers={waivers.signed}
        action={(waiver) => <DownloadButton waiver={waiver} signer={account.name} />}
      />
    </>
  );
}

function unsignedAction(waiver: MyWaiverRow) {
  if (waiver.status === "pending") return <SignButton waiver={waiver} />;
  return <p className="text-sm text-muted">Ask {waiver.company_name} for a new link.</p>;
}

function DownloadButton({ waiver, signer }: { waiver: MyWaiverRow; signer: string }) {
  const { download, isFetching } = useDownloadDocument();
  const { waiver_id, template_name } = waiver;
  if (!waiver_id) return null;
  if (waiver.document_status === "failed")
    return <p className="text-sm text-muted">Signed and stored. The text is too long for a PDF.</p>;
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={isFetching}
      onClick={() => void download({ id: waiver_id, template_name, signer_name: signer })}
      aria-label={`Download PDF: ${template_name}, ${waiver.company_name}`}
    >
      <Download aria-hidden /> Download PDF
    </Button>
  );
}
