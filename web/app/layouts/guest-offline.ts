import { keepCopies } from "~/lib/device-copy";
import { paths } from "~/paths";
import { startWorker } from "./app-worker";

export async function keepGuestOffline(personId: string): Promise<void> {
  await keepCopies(personId);
  await startWorker(paths.guestHome);
}
