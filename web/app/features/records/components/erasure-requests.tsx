import { useState } from "react";
import { Link } from "react-router";
import { longDate } from "~/lib/dates";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { useOpenRequests } from "../api/requests";
import { AnswerRequestDialog, type Decision } from "./answer-request-dialog";

/** Lists the guests who want their waivers to be erased. Renders nothing if there are none. */
export function ErasureRequests({ companyId }: { companyId: string }) {
  const { data: requests = [] } = useOpenRequests(companyId);
  const [decision, setDecision] = useState<Decision | null>(null);
  if (requests.length === 0) return null;
  return (
    <section className="mt-6 border-t border-line pt-5" aria-labelledby="erasure-requests">
      <h3 id="erasure-requests" className="font-semibold">
        Guests who want their waivers erased
      </h3>
      <p className="mt-1 text-muted">
        You decide. If you have to keep the waivers, say why. In many countries the law gives you a month to
        answer.
      </p>
      <ul className="mt-3 divide-y divide-line rounded-control border border-line">
        {requests.map((request) => (
          <li key={request.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-3">
            <div className="min-w-0 grow basis-60">
              <Link
                className="font-medium wrap-break-word underline"
                to={paths.directorySearch(request.email)}
              >
                {request.email}
              </Link>
              <p className="text-sm text-muted">Asked on {longDate(new Date(request.requested_at))}</p>
              {request.note && (
                <p dir="auto" className="mt-1 text-sm wrap-break-word">
                  {request.note}
                </p>
              )}
            </div>
            <div className="flex gap-2">
              <Button variant="secondary" onClick={() => setDecision({ request, isGranted: false })}>
                Refuse
              </Button>
              <Button variant="danger" onClick={() => setDecision({ request, isGranted: true })}>
                Erase
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {decision && <AnswerRequestDialog decision={decision} onClose={() => setDecision(null)} />}
    </section>
  );
}
