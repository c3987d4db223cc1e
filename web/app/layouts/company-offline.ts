import type { QueryKey } from "@tanstack/react-query";
import { sentWaiversQuery } from "~/features/sending/api/sent-waivers";
import { templatesQuery } from "~/features/templates/api/templates";
import { directoryQuery } from "~/features/waivers/api/directory";
import { overviewQuery } from "~/features/waivers/api/overview";
import { EVERYTHING } from "~/features/waivers/model";
import { hasRecentCopy, startOfflineCopies } from "~/lib/offline-copies";
import { queryClient } from "~/lib/query-client";
import { storedSession } from "~/lib/stored-session";
import { paths } from "~/paths";
import { startWorker } from "./app-worker";

const sent = sentWaiversQuery();
const directory = directoryQuery(EVERYTHING);
const NEEDED: [QueryKey, () => Promise<void>][] = [
  [overviewQuery.queryKey, () => queryClient.prefetchQuery(overviewQuery)],
  [templatesQuery.queryKey, () => queryClient.prefetchQuery(templatesQuery)],
  [sent.queryKey, () => queryClient.prefetchQuery(sent)],
  [directory.queryKey, () => queryClient.prefetchInfiniteQuery(directory)],
];

/** What a day without a network needs is on the device before that day, whether or not its page was opened. */
export async function keepCompanyOffline(personId: string): Promise<void> {
  await startOfflineCopies(personId);
  for (const [key, fetch] of NEEDED) {
    if (storedSession()?.user.id !== personId) return;
    // One after the other: nobody is waiting for them.
    // oxlint-disable-next-line no-await-in-loop
    if (!hasRecentCopy(key)) await fetch();
  }
  await startWorker(paths.dashboard);
}
