import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { useRetention } from "../api/retention";
import { ErasureRequests } from "./erasure-requests";
import { PlannedErasures } from "./planned-erasures";
import { RetentionForm } from "./retention-form";

/** Emails link to this card of the profile page, so the card has an id. */
export function RecordsCard({ companyId }: { companyId: string }) {
  const { data: savedMonths, isError, refetch } = useRetention(companyId);
  return (
    <Card id="records" className="max-w-2xl p-5 sm:p-6" aria-labelledby="records-title">
      <h2 id="records-title" className="text-lg font-semibold">
        Keeping Records
      </h2>
      <p className="mt-1 mb-5 text-muted">
        Signed waivers are kept until you decide otherwise. You can also erase a single waiver, or put it on
        legal hold, where you view it.
      </p>
      {isError && savedMonths === undefined && (
        <Failure title="This setting could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. Nothing was changed.
        </Failure>
      )}
      {!isError && savedMonths === undefined && <Skeleton className="h-24" />}
      {savedMonths !== undefined && (
        <>
          <RetentionForm companyId={companyId} savedMonths={savedMonths} />
          <ErasureRequests companyId={companyId} />
          {savedMonths !== null && <PlannedErasures />}
        </>
      )}
    </Card>
  );
}
