import { toastAfterCurrent } from "~/ui/toast-store";

const WORKER_URL = "/app-worker.js";
const UPDATE_INTERVAL_MS = 3_600_000;

/** Registers the service worker. From the next visit on, it opens pages below `scope` even without a network. */
export async function startWorker(scope: string): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // On a first visit no older worker controls the page, so a change of the controller is not an update.
  if (serviceWorker.controller)
    serviceWorker.addEventListener("controllerchange", offerReload, { once: true });
  const registration = await serviceWorker.register(WORKER_URL, { scope, updateViaCache: "none" });
  // The page looks for updates, because office computers keep it open for days.
  setInterval(() => void registration.update().catch(() => {}), UPDATE_INTERVAL_MS);
}

function offerReload(): void {
  toastAfterCurrent({
    title: "A new version of Cairn is ready",
    description: "It is used from the next time this page is loaded.",
    duration: 30_000,
    action: { label: "Reload", run: () => window.location.reload() },
  });
}
