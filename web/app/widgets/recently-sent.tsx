import { lazy, Suspense } from "react";

const SentWaivers = lazy(() =>
  import("~/features/sending/components/sent-waivers").then(
    (module) => ({ default: module.SentWaivers }),
    // If the list cannot be loaded, the page is shown without it.
    () => ({ default: () => null }),
  ),
);

/** Lists the sent waivers below the outcome of the last one. */
export function RecentlySent() {
  return (
    <Suspense>
      <SentWaivers />
    </Suspense>
  );
}
