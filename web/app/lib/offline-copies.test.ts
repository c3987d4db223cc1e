import { beforeEach, expect, test, vi } from "vitest";
import { stubIndexedDb } from "~/../testing/indexed-db";
import { goOffline, goOnline } from "~/../testing/network";
import { GIL, ROSA, serve, signInAs } from "~/../testing/server";
import { deleteOfflineCopies } from "./browser-cache";
import { startOfflineCopies, readOfflineCopy } from "./offline-copies";
import { KEEP_OFFLINE, queryClient } from "./query-client";
import { Unreachable } from "./reach";

const DAY = 24 * 3_600_000;
const KEY = ["rivers"];
const rivers = { queryKey: KEY, queryFn: async () => ["Rio"], meta: KEEP_OFFLINE };

async function keptBy(person: typeof ROSA): Promise<void> {
  signInAs(person);
  await startOfflineCopies(person.id);
}

/** Whatever was fetched before is kept at once; what comes later, a second later at the latest. */
async function keepRivers(): Promise<void> {
  await queryClient.fetchQuery(rivers);
  await keptBy(ROSA);
  await vi.waitFor(async () => expect(await copy()).toEqual(["Rio"]));
}

const copy = async (person = ROSA) => (await readOfflineCopy(person.id, KEY))?.data;

beforeEach(() => {
  serve({});
  stubIndexedDb();
});

test("what asks for it is kept, and shown to whoever opens the page without a network, as old as it is", async () => {
  await keepRivers();
  const { dataUpdatedAt } = queryClient.getQueryState(KEY) ?? {};
  queryClient.clear();
  goOffline();
  await keptBy(ROSA);

  void queryClient.prefetchQuery(rivers);

  await vi.waitFor(() => expect(queryClient.getQueryData(KEY)).toEqual(["Rio"]));
  expect(queryClient.getQueryState(KEY)?.dataUpdatedAt).toBe(dataUpdatedAt);
});

test("what does not ask for it is not kept", async () => {
  await queryClient.fetchQuery({ queryKey: ["secret"], queryFn: async () => "s" });
  await keepRivers();

  expect(await readOfflineCopy(ROSA.id, ["secret"])).toBeUndefined();
});

test("nobody is shown what another person left", async () => {
  await keepRivers();
  expect(await copy(GIL)).toBeUndefined();

  queryClient.clear();
  await keptBy(GIL);

  expect(await copy(ROSA)).toBeUndefined();
});

test("whoever has signed out, perhaps in another window, leaves nothing behind", async () => {
  await keepRivers();
  localStorage.clear();
  await deleteOfflineCopies();
  await queryClient.fetchQuery({ ...rivers, staleTime: 0 });

  await startOfflineCopies(ROSA.id);

  await expect(vi.waitFor(async () => expect(await copy()).toBeDefined(), 200)).rejects.toThrow();
});

test("after two weeks a copy is none", async () => {
  await keepRivers();

  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 14 * DAY);

  expect(await copy()).toBeUndefined();
});

test("another version of the app does not read what this one has kept", async () => {
  await keepRivers();

  vi.stubGlobal("__reactRouterManifest", { version: "next" });

  expect(await copy()).toBeUndefined();
});

const large = (size: number) => async () => "x".repeat(size);

test("when there is too much the oldest goes, and what is too large alone is not kept", async () => {
  await keepRivers();
  await queryClient.fetchQuery({ queryKey: ["large", 1], queryFn: large(5_000_001), meta: KEEP_OFFLINE });
  await queryClient.fetchQuery({ queryKey: ["large", 2], queryFn: large(4_999_997), meta: KEEP_OFFLINE });
  await keptBy(ROSA);

  await vi.waitFor(async () => expect(await copy()).toBeUndefined(), 5_000);
  expect(await readOfflineCopy(ROSA.id, ["large", 2])).toBeDefined();
  expect(await readOfflineCopy(ROSA.id, ["large", 1])).toBeUndefined();
});

test("of a list that was read far down its beginning is kept", async () => {
  await queryClient.fetchInfiniteQuery({
    queryKey: KEY,
    queryFn: async ({ pageParam }) => [`page ${pageParam}`],
    initialPageParam: 1,
    getNextPageParam: (_page, _pages, last) => last + 1,
    pages: 3,
    meta: KEEP_OFFLINE,
  });

  await keptBy(ROSA);

  await vi.waitFor(async () => expect(await copy()).toEqual({ pages: [["page 1"]], pageParams: [1] }));
});

test("where there is no copy whoever waits is told, and gets the answer when the server is back", async () => {
  await keptBy(ROSA);
  goOffline();
  void queryClient.prefetchQuery(rivers);
  await vi.waitFor(() => expect(queryClient.getQueryState(KEY)?.error).toBeInstanceOf(Unreachable));

  serve({});
  await goOnline();

  await queryClient.fetchQuery(rivers);
  expect(queryClient.getQueryData(KEY)).toEqual(["Rio"]);
});
