import { useParams, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { unsignedWaiverQuery, useUnsignedWaiver } from "~/features/sending/api/unsigned-waiver";
import { WaiverText } from "~/features/signing/waiver-text";
import { timelineQuery } from "~/features/waivers/api/timeline";
import {
  signedWaiverQuery,
  useSignedWaiver,
  type WaiverReference,
} from "~/features/waivers/api/signed-waiver";
import { SignedWaiverPage } from "~/features/waivers/components/signed-waiver-page";
import { WaiverFrame } from "~/features/waivers/components/waiver-frame";
import { waiverReference } from "~/features/waivers/model";
import { useCompanyAccount } from "~/layouts/company-layout";
import { queryClient } from "~/lib/query-client";
import { storedSession } from "~/lib/stored-session";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { UnsignedWaiverPage, usePendingToast } from "~/widgets/unsigned-waiver-page";

/** The page sets its title itself, when it knows whose waiver it shows. */
export const meta = () => [];

/** Requests all data at once, while the code of the page is loading. The page does not wait for it. */
export function clientLoader({ params, request }: LoaderFunctionArgs): null {
  const reference = waiverReference(params.id, new URL(request.url).searchParams);
  if (reference && storedSession()) {
    void queryClient.prefetchQuery(signedWaiverQuery(reference));
    void queryClient.prefetchQuery(unsignedWaiverQuery(reference.sessionId));
    void queryClient.prefetchQuery(timelineQuery(reference.sessionId));
  }
  return null;
}

export default function Waiver() {
  const [query] = useSearchParams();
  const reference = waiverReference(useParams().id, query);
  if (!reference) return <NoSuchWaiver />;
  return <KnownWaiver key={reference.sessionId} reference={reference} />;
}

// Each placeholder is replaced by itself, so that the text is shown exactly as it was signed.
const UNCHANGED_NAMES = { participant: "[PARTICIPANT NAME]", company: "[COMPANY NAME]" };

function KnownWaiver({ reference }: { reference: WaiverReference }) {
  const { data: waiver, isError, fetchStatus, refetch } = useSignedWaiver(reference);
  if (waiver === undefined && (isError || fetchStatus === "paused"))
    return <LoadingFailed onRetry={() => void refetch()} />;
  if (waiver === undefined) return <Loading />;
  if (waiver) {
    return (
      <SignedWaiverPage waiver={waiver}>
        <WaiverText content={waiver.content} names={UNCHANGED_NAMES} headingLevel={2} />
      </SignedWaiverPage>
    );
  }
  return reference.recordId === null ? <Unsigned sessionId={reference.sessionId} /> : <NoSuchWaiver />;
}

function Unsigned({ sessionId }: { sessionId: string }) {
  const account = useCompanyAccount();
  const { data: waiver, dataUpdatedAt, isError, fetchStatus, refetch } = useUnsignedWaiver(sessionId);
  // Anyone who has the link of an unsigned waiver can read it, because guests sign without an account. That it can be
  // read does not mean that it belongs to this company.
  const isOwn = waiver?.companyId === account.company?.id;
  usePendingToast(isOwn ? waiver : null);
  if (waiver === undefined && (isError || fetchStatus === "paused"))
    return <LoadingFailed onRetry={() => void refetch()} />;
  if (waiver === undefined) return <Loading />;
  if (waiver === null || !isOwn) return <NoSuchWaiver />;
  return (
    <UnsignedWaiverPage
      waiver={waiver}
      companyName={account.company?.name || "the Company"}
      now={new Date(dataUpdatedAt)}
    />
  );
}

function Loading() {
  return (
    <WaiverFrame title="Waiver">
      <div aria-busy className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Skeleton className="h-80 w-full max-lg:order-last" />
        <Skeleton className="h-56 w-full" />
      </div>
    </WaiverFrame>
  );
}

function LoadingFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <WaiverFrame title="Waiver">
      <Card>
        <Failure title="Failed to load waiver details" onRetry={onRetry}>
          The server did not answer. Nothing was lost.
        </Failure>
      </Card>
    </WaiverFrame>
  );
}

function NoSuchWaiver() {
  return (
    <WaiverFrame title="Waiver not found">
      <Card>
        <EmptyState title="There is no such waiver">
          The link may be incomplete, or the waiver belongs to another company.
        </EmptyState>
      </Card>
    </WaiverFrame>
  );
}
