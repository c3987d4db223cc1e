import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { whenBlocked } from "~/lib/blocked";
import { hasEverToasted, subscribeToToasts, toast } from "./toast-store";

const Toaster = lazy(() => import("./toaster"));

/** The region for toasts arrives with the first one, and stays. */
export function Toasts() {
  useEffect(() => whenBlocked(() => toast(BLOCKED)), []);
  const needed = useSyncExternalStore(subscribeToToasts, hasEverToasted, () => false);
  return (
    needed && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  );
}

const BLOCKED = {
  title: "CORS Limitation",
  description:
    "The browser blocked the request before it reached the email service. Check extensions and filters, then try again.",
  duration: 8_000,
};
