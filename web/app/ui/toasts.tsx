import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { whenIdle } from "~/lib/when-idle";
import { hasEverToasted, subscribeToToasts } from "./toast-store";

const load = () => import("./toaster");
// Without it nothing can be told, but the page must not go down with it.
const Toaster = lazy(() => load().catch(() => ({ default: () => <></> })));

/** The region for toasts appears with the first one, and stays. It is fetched before: the first may tell of a lost network. */
export function Toasts() {
  const needed = useSyncExternalStore(subscribeToToasts, hasEverToasted, () => false);
  useEffect(() => whenIdle(() => void load().catch(() => {})), []);
  return (
    needed && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  );
}
