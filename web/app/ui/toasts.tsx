import { lazy, Suspense, useSyncExternalStore } from "react";
import { hasEverToasted, subscribeToToasts } from "./toast-store";

const Toaster = lazy(() => import("./toaster"));

/** The region for toasts arrives with the first one, and stays. */
export function Toasts() {
  const needed = useSyncExternalStore(subscribeToToasts, hasEverToasted, () => false);
  return (
    needed && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  );
}
