import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { onBlocked } from "~/lib/blocked";
import { hasEverToasted, subscribeToToasts, toast } from "./toast-store";
import { whenIdle } from "~/lib/when-idle";

const load = () => import("./toaster");
// If the toaster cannot be loaded there are no toasts, but the page must keep working.
const Toaster = lazy(() => load().catch(() => ({ default: () => <></> })));

/** Renders the toaster from the first toast on. Preloaded, because the first may report a lost network. */
export function Toasts() {
  useEffect(() => onBlocked(() => toast(BLOCKED)), []);
  const isNeeded = useSyncExternalStore(subscribeToToasts, hasEverToasted, () => false);
  useEffect(() => whenIdle(() => void load().catch(() => {})), []);
  return (
    isNeeded && (
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
