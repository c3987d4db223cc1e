import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { onBlocked } from "~/lib/blocked";
import { hasEverToasted, subscribeToToasts, toast } from "./toast-store";
import { whenIdle } from "~/lib/when-idle";

const loadToaster = () => import("./toaster");
// If the toaster cannot be loaded, the page must still work without toasts.
const Toaster = lazy(() => loadToaster().catch(() => ({ default: () => <></> })));

/** Renders the toaster once there is a toast. It is preloaded, because a toast may report a lost network. */
export function Toasts() {
  useEffect(() => onBlocked(() => toast(REQUEST_BLOCKED_TOAST)), []);
  const isNeeded = useSyncExternalStore(subscribeToToasts, hasEverToasted, () => false);
  useEffect(() => whenIdle(() => void loadToaster().catch(() => {})), []);
  return (
    isNeeded && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  );
}

const REQUEST_BLOCKED_TOAST = {
  title: "CORS Limitation",
  description:
    "The browser blocked the request before it reached the email service. Check extensions and filters, then try again.",
  duration: 8_000,
};
