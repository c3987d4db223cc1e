import type { QueryKey } from "@tanstack/react-query";
import { sentWaiversQuery } from "~/features/sending/api/sent-waivers";
import { templatesQuery } from "~/features/templates/api/templates";
import { directoryQuery } from "~/features/waivers/api/directory";
import { overviewQuery } from "~/features/waivers/api/overview";
import { DEFAULT_LISTING } from "~/features/waivers/model";
import { hasRecentCopy, startOfflineCopies } from "~/lib/offline-copies";
import { queryClient } from "~/lib/query-client";
import { storedSession } from "~/lib/stored-session";
import { paths } from "~/paths";
import { startWorker } from "./app-worker";

const sentWaivers = sentWaiversQuery();
const directory = directoryQuery(DEFAULT_LISTING);
const OFFLINE_QUERIES: [QueryKey, () => Promise<void>][] = [
  [overviewQuery.queryKey, () => queryClient.prefetchQuery(overviewQuery)],
  [templatesQuery.queryKey, () => queryClient.prefetchQuery(templatesQuery)],
  [sentWaivers.queryKey, () => queryClient.prefetchQuery(sentWaivers)],
  [directory.queryKey, () => queryClient.prefetchInfiniteQuery(directory)],
];

/** Saves the data that the company needs offline, whether or not its pages have been opened. */
export async function prepareCompanyOffline(userId: string): Promise<void> {
  await startOfflineCopies(userId);
  for (const [key, fetch] of OFFLINE_QUERIES) {
    if (storedSession()?.user.id !== userId) return;
    // The queries run one after the other, so that they do not compete with requests that the user is waiting for.
    // oxlint-disable-next-line no-await-in-loop
    if (!hasRecentCopy(key)) await fetch();
  }
  await startWorker(paths.dashboard);
}
