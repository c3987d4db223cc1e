import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { onBlocked } from "~/lib/blocked";
import { hasEverToasted, subscribeToToasts, toast } from "./toast-store";
import { whenIdle } from "~/lib/when-idle";

const load = () => import("./toaster");
// Without it nothing can be told, but the page must not go down with it.
const Toaster = lazy(() => load().catch(() => ({ default: () => <></> })));

/** The region for toasts appears with the first one, and stays. It is fetched before: the first may tell of a lost network. */
export function Toasts() {
  useEffect(() => onBlocked(() => toast(BLOCKED)), []);
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

const BLOCKED = {
  title: "CORS Limitation",
  description:
    "The browser blocked the request before it reached the email service. Check extensions and filters, then try again.",
  duration: 8_000,
};
