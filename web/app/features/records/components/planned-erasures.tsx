import { Link } from "react-router";
import { longDate } from "~/lib/dates";
import { paths } from "~/paths";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { usePlannedErasures } from "../api/retention";
import { countText } from "../model";

/** Lists the waivers that will be erased, the next one first. */
export function PlannedErasures() {
  const { data, isError, refetch } = usePlannedErasures();
  return (
    <section className="mt-6 border-t border-line pt-5" aria-labelledby="planned-erasures">
      <h3 id="planned-erasures" className="font-semibold">
        Will be erased
      </h3>
      {isError && !data && (
        <Failure title="The list could not be loaded" onRetry={() => void refetch()}>
          The server did not answer.
        </Failure>
      )}
      {!isError && !data && <Skeleton className="mt-3 h-16" />}
      {data?.count === 0 && (
        <p className="mt-1 text-muted">
          No waiver is due yet. You get an email 30 days before one is erased.
        </p>
      )}
      {data && data.count > 0 && (
        <>
          <p className="mt-1 text-muted">
            {countText(data.count, "waiver")}. To keep one, open it and put it on legal hold.
          </p>
          <ul className="mt-3 max-h-80 divide-y divide-line overflow-y-auto rounded-control border border-line">
            {data.waivers.map((waiver) => (
              <li
                key={waiver.waiver_id}
                className="flex flex-wrap items-baseline justify-between gap-x-4 px-3.5 py-2.5"
              >
                <Link className="font-medium underline" to={paths.waiver(waiver.session_id)} dir="auto">
                  {waiver.signer_name}
                </Link>
                <span className="text-sm text-muted">
                  {waiver.template_name}, signed on {longDate(new Date(waiver.signed_at))}
                </span>
                <span className="w-full text-sm">Erased on {longDate(new Date(waiver.erase_at))}</span>
              </li>
            ))}
          </ul>
          {data.count > data.waivers.length && (
            <p className="mt-2 text-sm text-muted">Only the first {data.waivers.length} are shown.</p>
          )}
        </>
      )}
    </section>
  );
}
