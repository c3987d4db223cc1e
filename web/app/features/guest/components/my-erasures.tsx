import { useState } from "react";
import { longDate } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Failure } from "~/ui/failure";
import { RowText } from "~/ui/row-text";
import { Skeleton } from "~/ui/skeleton";
import { useMyErasures } from "../api/erasure";
import { type ErasureRequest, type ErasureRow, erasureRows } from "../model";
import { RequestErasureDialog } from "./request-erasure-dialog";

/** Lists the companies for which a guest has signed waivers, with the guest's requests to erase them and the answers. */
export function MyErasures() {
  const { data, isError, refetch } = useMyErasures();
  const [company, setCompany] = useState<ErasureRow | null>(null);
  if (!data) {
    if (!isError) return <Skeleton className="mt-5 h-16" />;
    return (
      <Failure title="Your companies could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. Nothing was changed.
      </Failure>
    );
  }
  const rows = erasureRows(data.companies, data.requests);
  if (rows.length === 0) return null;
  return (
    <section className="mt-6 border-t border-line pt-5" aria-labelledby="erase-my-data">
      <h3 id="erase-my-data" className="font-semibold">
        Ask a company to erase what you signed
      </h3>
      <p className="mt-1 text-muted">
        The company may have to keep a waiver, so it decides and answers you here. What is erased cannot be
        restored, so download your data first.
      </p>
      <ul className="mt-3 divide-y divide-line rounded-control border border-line">
        {rows.map((row) => (
          <li key={row.company_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-3">
            <RowText name={row.company_name} className="basis-52">
              <p className="text-sm wrap-break-word text-muted">{describeRow(row)}</p>
            </RowText>
            {row.waiver_count > 0 && row.request?.status !== "open" && (
              <Button variant="secondary" onClick={() => setCompany(row)}>
                Ask to erase
              </Button>
            )}
          </li>
        ))}
      </ul>
      {company && <RequestErasureDialog company={company} onClose={() => setCompany(null)} />}
    </section>
  );
}

function describeRow({ request, waiver_count }: ErasureRow): string {
  if (request) return describeRequest(request);
  return waiver_count === 1 ? "1 signed waiver" : `${waiver_count} signed waivers`;
}

function describeRequest({ status, requested_at, answer, answered_at }: ErasureRequest): string {
  if (status === "open")
    return `You asked on ${longDate(new Date(requested_at))}. The company has not answered yet.`;
  const outcome = status === "granted" ? "Erased" : "Not erased";
  return `${outcome} on ${longDate(new Date(answered_at ?? requested_at))}: ${answer}`;
}
