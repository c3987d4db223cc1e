import type { Query, QueryKey } from "@tanstack/react-query";
import { hashKey } from "@tanstack/react-query";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { OFFLINE_DATABASE } from "./browser-cache";
import { throttle } from "./throttle";
import { queryClient } from "./query-client";
import { isUnreachable, onReachChange, unreachableMessage, Unreachable } from "./reach";
import { storedSession } from "./stored-session";

/**
 * What the server last answered, kept on this device for the hours without a network: only of queries that ask for it
 * (`meta: KEEP_OFFLINE`), only of whoever is signed in, for two weeks, and never more than five million characters.
 */
const LONGEST = 14 * 24 * 3_600_000;
const RECENT = 3_600_000;
const LARGEST = 5_000_000;
const PAUSE = 1_000;

type Copy = { owner: string; version: string; data: unknown; at: number; size: number };
interface Shelf extends DBSchema {
  answers: { key: string; value: Copy };
}
type Device = IDBPDatabase<Shelf>;

let owner: string | null = null;
let known = new Map<string, Pick<Copy, "at" | "size">>();

/** From now on, for this person: answers are kept, and where the server is out of reach they are shown. */
export async function startOfflineCopies(person: string): Promise<void> {
  const isFirst = owner === null;
  owner = person;
  known = (await withDevice(tidy)) ?? new Map<string, never>();
  if (isFirst) listen();
  keepAll();
}

export async function readOfflineCopy(person: string, key: QueryKey): Promise<Copy | undefined> {
  const copy = await withDevice((device) => device.get("answers", hashKey(key)));
  return copy && isGood(copy, person) ? copy : undefined;
}

/** Whether there is something to show of it without a network, and no older than an hour. */
export const hasRecentCopy = (key: QueryKey): boolean =>
  Date.now() - (known.get(hashKey(key))?.at ?? 0) < RECENT;

function listen(): void {
  const keepSoon = throttle(keepAll, PAUSE);
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (isUnreachable()) void fill(query);
    else if (isNew(query)) keepSoon();
  });
  onReachChange(fillAll);
  fillAll();
}

function fillAll(): void {
  if (isUnreachable()) for (const query of queryClient.getQueryCache().getAll()) void fill(query);
}

const isNew = ({ meta, state, queryHash }: Query): boolean =>
  meta?.keepOffline === true &&
  state.status === "success" &&
  known.get(queryHash)?.at !== state.dataUpdatedAt;

function keepAll(): void {
  const fresh = queryClient.getQueryCache().getAll().filter(isNew);
  if (fresh.length > 0) void withDevice((device) => Promise.all(fresh.map((query) => put(device, query))));
}

async function put(device: Device, { queryHash, state }: Query): Promise<void> {
  if (!owner || !isOwnerHere()) return;
  const data = firstPage(state.data);
  const size = JSON.stringify(data)?.length ?? 0;
  const at = state.dataUpdatedAt;
  if (size > LARGEST) {
    known.set(queryHash, { at, size: 0 });
    return;
  }
  known.set(queryHash, { at, size });
  await device.put("answers", { owner, version: version(), data, at, size }, queryHash);
  await makeRoom(device);
}

/** Whoever has signed out meanwhile, perhaps in another window, leaves nothing behind and is shown nothing. */
const isOwnerHere = (): boolean => storedSession()?.user.id === owner;

/** Of a list that was read far down its beginning is enough. */
function firstPage(data: unknown): unknown {
  const isPaged = typeof data === "object" && data !== null && "pages" in data && "pageParams" in data;
  if (!isPaged || !Array.isArray(data.pages) || !Array.isArray(data.pageParams)) return data;
  return { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** The oldest goes first. */
async function makeRoom(device: Device): Promise<void> {
  let total = [...known.values()].reduce((sum, { size }) => sum + size, 0);
  const oldestFirst = [...known].toSorted(([, one], [, other]) => one.at - other.at);
  for (const [hash, { size }] of oldestFirst) {
    if (total <= LARGEST) return;
    total -= size;
    known.delete(hash);
    // Each may make the next unnecessary.
    // oxlint-disable-next-line no-await-in-loop
    await device.delete("answers", hash);
  }
}

/** Nothing of anybody else, nothing old. */
async function tidy(device: Device): Promise<typeof known> {
  const found: typeof known = new Map();
  // A cursor is read in order.
  /* oxlint-disable no-await-in-loop */
  let cursor = await device.transaction("answers", "readwrite").store.openCursor();
  while (cursor) {
    const { at, size } = cursor.value;
    if (owner && isGood(cursor.value, owner)) found.set(cursor.key, { at, size });
    else await cursor.delete();
    cursor = await cursor.continue();
  }
  /* oxlint-enable no-await-in-loop */
  return found;
}

function isGood(copy: Copy, person: string): boolean {
  return copy.owner === person && copy.version === version() && Date.now() - copy.at < LONGEST;
}

/** What one version of the app has kept, another could misread. */
function version(): string {
  const manifest: unknown = Reflect.get(window, "__reactRouterManifest");
  const isThere = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isThere ? String(manifest.version) : "";
}

const looking = new Set<string>();

/** Shows the copy to whoever waits for the answer; where there is none, they are told rather than left waiting. */
async function fill(query: Query): Promise<void> {
  const isWaiting = () => query.state.data === undefined && query.state.fetchStatus !== "idle";
  if (!owner || !isOwnerHere() || !isWaiting() || looking.has(query.queryHash)) return;
  looking.add(query.queryHash);
  const copy = await readOfflineCopy(owner, query.queryKey);
  looking.delete(query.queryHash);
  if (!isUnreachable() || !isWaiting()) return;
  if (copy) queryClient.setQueryData(query.queryKey, copy.data, { updatedAt: copy.at });
  else if (query.state.fetchStatus === "paused") await giveUp(query);
}

async function giveUp(query: Query): Promise<void> {
  await query.cancel({ silent: true });
  const error = new Unreachable(unreachableMessage());
  query.setState({ status: "error", fetchStatus: "idle", error, errorUpdatedAt: Date.now() });
}

/** Opened for each use, so that nobody who wants it gone has to wait. A device without one keeps nothing. */
async function withDevice<Found>(act: (device: Device) => Promise<Found>): Promise<Found | undefined> {
  try {
    const device = await openDB<Shelf>(OFFLINE_DATABASE, 1, {
      upgrade: (made) => void made.createObjectStore("answers"),
    });
    try {
      return await act(device);
    } finally {
      device.close();
    }
  } catch {
    return undefined;
  }
}
