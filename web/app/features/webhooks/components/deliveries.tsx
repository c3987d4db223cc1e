import { Card } from "~/ui/card";
import { Skeleton } from "~/ui/skeleton";
import { useDeliveries } from "../api/deliveries";
import type { Kind } from "../model";
import { DeliveryItem } from "./delivery-item";
import { NotLoaded } from "./not-loaded";

/** `waiverPath` returns the path of the page that shows the waiver of a session. */
type Props = { kind: Kind; waiverPath: (sessionId: string) => string };

/** Lists the most recent deliveries and their outcomes. */
export function Deliveries({ kind, waiverPath }: Props) {
  const query = useDeliveries(kind);
  const { data: deliveries, dataUpdatedAt } = query;
  return (
    <Card aria-labelledby={`${kind}-deliveries`}>
      <header className="border-b border-line px-5 py-4 sm:px-6">
        <h2 id={`${kind}-deliveries`} className="text-lg font-semibold">
          Recent deliveries
        </h2>
        <p className="text-sm text-muted">
          Failed deliveries are retried with backoff for about a day. This list shows the deliveries of the
          last 30 days.
        </p>
      </header>
      <NotLoaded query={query} title="Deliveries could not be loaded">
        <LoadingDeliveries />
      </NotLoaded>
      {deliveries?.length === 0 && (
        <p className="px-5 py-8 text-center text-muted sm:px-6">
          Nothing has been sent yet. The next signature, or a test, appears here.
        </p>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul aria-label="Deliveries, newest first" className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              now={new Date(dataUpdatedAt)}
              waiverPath={waiverPath}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function LoadingDeliveries() {
  return (
    <div aria-hidden className="divide-y divide-line">
      {[1, 2, 3].map((delivery) => (
        <div key={delivery} className="px-5 py-4 sm:px-6">
          <Skeleton className="h-5 w-48" />
          <Skeleton className="mt-2 h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}
