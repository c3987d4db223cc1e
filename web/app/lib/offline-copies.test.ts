import { beforeEach, expect, test, vi } from "vitest";
import { stubIndexedDb } from "~/../testing/indexed-db";
import { goOffline, goOnline } from "~/../testing/network";
import { GIL, ROSA, serve, signInAs } from "~/../testing/server";
import { deleteOfflineCopies } from "./browser-cache";
import { startOfflineCopies, readOfflineCopy } from "./offline-copies";
import { KEEP_OFFLINE, queryClient } from "./query-client";
import { Unreachable } from "./connection";

const DAY_MS = 24 * 3_600_000;
const KEY = ["rivers"];
const rivers = { queryKey: KEY, queryFn: async () => ["Rio"], meta: KEEP_OFFLINE };

async function startAs(user: typeof ROSA): Promise<void> {
  signInAs(user);
  await startOfflineCopies(user.id);
}

/**
 * Fetches and saves a query. Data that was fetched before the start is saved immediately, other data within a second.
 */
async function saveRivers(): Promise<void> {
  await queryClient.fetchQuery(rivers);
  await startAs(ROSA);
  await vi.waitFor(async () => expect(await savedData()).toEqual(["Rio"]));
}

const savedData = async (user = ROSA) => (await readOfflineCopy(user.id, KEY))?.data;

beforeEach(() => {
  serve({});
  stubIndexedDb();
});

test("a query with KEEP_OFFLINE is saved and shown offline, with its original date", async () => {
  await saveRivers();
  const { dataUpdatedAt } = queryClient.getQueryState(KEY) ?? {};
  queryClient.clear();
  goOffline();
  await startAs(ROSA);

  void queryClient.prefetchQuery(rivers);

  await vi.waitFor(() => expect(queryClient.getQueryData(KEY)).toEqual(["Rio"]));
  expect(queryClient.getQueryState(KEY)?.dataUpdatedAt).toBe(dataUpdatedAt);
});

test("a query without KEEP_OFFLINE is not saved", async () => {
  await queryClient.fetchQuery({ queryKey: ["secret"], queryFn: async () => "s" });
  await saveRivers();

  expect(await readOfflineCopy(ROSA.id, ["secret"])).toBeUndefined();
});

test("a user never sees another user's copies", async () => {
  await saveRivers();
  expect(await savedData(GIL)).toBeUndefined();

  queryClient.clear();
  await startAs(GIL);

  expect(await savedData(ROSA)).toBeUndefined();
});

test("nothing is saved after the user has signed out in this or another window", async () => {
  await saveRivers();
  localStorage.clear();
  await deleteOfflineCopies();
  await queryClient.fetchQuery({ ...rivers, staleTime: 0 });

  await startOfflineCopies(ROSA.id);

  const appears = vi.waitFor(async () => expect(await savedData()).toBeDefined(), 200);
  await expect(appears, "no copy within 200 ms").rejects.toThrow();
});

test("a copy expires after two weeks", async () => {
  await saveRivers();

  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 14 * DAY_MS);

  expect(await savedData()).toBeUndefined();
});

test("the app does not read copies that another version has saved", async () => {
  await saveRivers();

  vi.stubGlobal("__reactRouterManifest", { version: "next" });

  expect(await savedData()).toBeUndefined();
});

const fetchText = (length: number) => async () => "x".repeat(length);

test("the oldest copy is deleted when the total is too large, and data over the limit is not saved", async () => {
  await saveRivers();
  await queryClient.fetchQuery({ queryKey: ["large", 1], queryFn: fetchText(5_000_001), meta: KEEP_OFFLINE });
  await queryClient.fetchQuery({ queryKey: ["large", 2], queryFn: fetchText(4_999_997), meta: KEEP_OFFLINE });
  await startAs(ROSA);

  await vi.waitFor(async () => expect(await savedData()).toBeUndefined(), 5_000);
  expect(await readOfflineCopy(ROSA.id, ["large", 2])).toBeDefined();
  expect(await readOfflineCopy(ROSA.id, ["large", 1])).toBeUndefined();
});

test("only the first page of a long list is saved", async () => {
  await queryClient.fetchInfiniteQuery({
    queryKey: KEY,
    queryFn: async ({ pageParam }) => [`page ${pageParam}`],
    initialPageParam: 1,
    getNextPageParam: (_page, _pages, last) => last + 1,
    pages: 3,
    meta: KEEP_OFFLINE,
  });

  await startAs(ROSA);

  await vi.waitFor(async () => expect(await savedData()).toEqual({ pages: [["page 1"]], pageParams: [1] }));
});

test("a query without a copy fails offline and succeeds when the server is back", async () => {
  await startAs(ROSA);
  goOffline();
  void queryClient.prefetchQuery(rivers);
  await vi.waitFor(() => expect(queryClient.getQueryState(KEY)?.error).toBeInstanceOf(Unreachable));

  serve({});
  await goOnline();

  await queryClient.fetchQuery(rivers);
  expect(queryClient.getQueryData(KEY)).toEqual(["Rio"]);
});
