import { startOfflineCopies } from "~/lib/offline-copies";
import { paths } from "~/paths";
import { startWorker } from "./app-worker";

export async function keepGuestOffline(personId: string): Promise<void> {
  await startOfflineCopies(personId);
  await startWorker(paths.guestHome);
}
