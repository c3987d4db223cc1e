import { toastAfterCurrent } from "~/ui/toast-store";

const WORKER = "/app-worker.js";
const HOUR = 3_600_000;

/** From the next time on, pages below this address open without a network too. No other page is the worker's business. */
export async function startWorker(scope: string): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // Only a window that was opened by one version can be told of the next.
  if (serviceWorker.controller) serviceWorker.addEventListener("controllerchange", tell, { once: true });
  const registration = await serviceWorker.register(WORKER, { scope, updateViaCache: "none" });
  // A desk stays open for days.
  setInterval(() => void registration.update().catch(() => {}), HOUR);
}

function tell(): void {
  toastAfterCurrent({
    title: "A new version of Cairn is ready",
    description: "It is used from the next time this page is loaded.",
    duration: 30_000,
    action: { label: "Reload", run: () => window.location.reload() },
  });
}
