import { toastAfterCurrent } from "~/ui/toast-store";

const WORKER = "/app-worker.js";
const HOUR = 3_600_000;

/** Registers the service worker, which opens pages below this path offline from the next visit on. */
export async function startWorker(scope: string): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // On a first visit there is no previous version, so taking control is not an update.
  if (serviceWorker.controller)
    serviceWorker.addEventListener("controllerchange", offerReload, { once: true });
  const registration = await serviceWorker.register(WORKER, { scope, updateViaCache: "none" });
  // Office computers keep the page open for days.
  setInterval(() => void registration.update().catch(() => {}), HOUR);
}

function offerReload(): void {
  toastAfterCurrent({
    title: "A new version of Cairn is ready",
    description: "It is used from the next time this page is loaded.",
    duration: 30_000,
    action: { label: "Reload", run: () => window.location.reload() },
  });
}
