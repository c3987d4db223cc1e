import { startOfflineCopies } from "~/lib/offline-copies";
import { paths } from "~/paths";
import { startWorker } from "./app-worker";

export async function prepareGuestOffline(userId: string): Promise<void> {
  await startOfflineCopies(userId);
  await startWorker(paths.guestHome);
}
