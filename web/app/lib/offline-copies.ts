import type { Query, QueryKey } from "@tanstack/react-query";
import { hashKey } from "@tanstack/react-query";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { OFFLINE_DATABASE } from "./browser-cache";
import { queryClient } from "./query-client";
import { isUnreachable, onReachChange, unreachableMessage, Unreachable } from "./reach";
import { storedSession } from "./stored-session";
import { throttle } from "./throttle";

/**
 * Query data saved on this device for use offline: only of queries with `meta: KEEP_OFFLINE`, only for the signed-in
 * user, for at most two weeks, and never more than five million characters in total.
 */
const MAX_AGE = 14 * 24 * 3_600_000;
const RECENT_AGE = 3_600_000;
const MAX_SIZE = 5_000_000;
const SAVE_INTERVAL = 1_000;

type Copy = { owner: string; version: string; data: unknown; at: number; size: number };
interface Schema extends DBSchema {
  answers: { key: string; value: Copy };
}
type CopyDatabase = IDBPDatabase<Schema>;

let owner: string | null = null;
let saved = new Map<string, Pick<Copy, "at" | "size">>();

/** Starts saving query data for this user, and showing it while the server is unreachable. */
export async function startOfflineCopies(userId: string): Promise<void> {
  const isFirst = owner === null;
  owner = userId;
  saved = (await withDatabase(deleteUnusable)) ?? new Map<string, never>();
  if (isFirst) listen();
  saveAll();
}

export async function readOfflineCopy(userId: string, key: QueryKey): Promise<Copy | undefined> {
  const copy = await withDatabase((database) => database.get("answers", hashKey(key)));
  return copy && isUsable(copy, userId) ? copy : undefined;
}

/** Whether there is a copy that is at most an hour old. */
export const hasRecentCopy = (key: QueryKey): boolean =>
  Date.now() - (saved.get(hashKey(key))?.at ?? 0) < RECENT_AGE;

function listen(): void {
  const saveSoon = throttle(saveAll, SAVE_INTERVAL);
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (isUnreachable()) void restore(query);
    else if (isUnsaved(query)) saveSoon();
  });
  onReachChange(restoreAll);
  restoreAll();
}

function restoreAll(): void {
  if (isUnreachable()) for (const query of queryClient.getQueryCache().getAll()) void restore(query);
}

const isUnsaved = ({ meta, state, queryHash }: Query): boolean =>
  meta?.keepOffline === true &&
  state.status === "success" &&
  saved.get(queryHash)?.at !== state.dataUpdatedAt;

function saveAll(): void {
  const unsaved = queryClient.getQueryCache().getAll().filter(isUnsaved);
  if (unsaved.length > 0)
    void withDatabase((database) => Promise.all(unsaved.map((query) => save(database, query))));
}

async function save(database: CopyDatabase, { queryHash, state }: Query): Promise<void> {
  if (!owner || !isOwnerSignedIn()) return;
  const data = firstPage(state.data);
  const size = JSON.stringify(data)?.length ?? 0;
  const at = state.dataUpdatedAt;
  if (size > MAX_SIZE) {
    saved.set(queryHash, { at, size: 0 });
    return;
  }
  saved.set(queryHash, { at, size });
  await database.put("answers", { owner, version: appVersion(), data, at, size }, queryHash);
  await deleteOldest(database);
}

/** False after signing out, perhaps in another window: then nothing may be saved or shown. */
const isOwnerSignedIn = (): boolean => storedSession()?.user.id === owner;

/** Only the first page of a long list is saved. */
function firstPage(data: unknown): unknown {
  const isPaged = typeof data === "object" && data !== null && "pages" in data && "pageParams" in data;
  if (!isPaged || !Array.isArray(data.pages) || !Array.isArray(data.pageParams)) return data;
  return { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Deletes the oldest copies until the rest is within the size limit. */
async function deleteOldest(database: CopyDatabase): Promise<void> {
  let total = [...saved.values()].reduce((sum, { size }) => sum + size, 0);
  const oldestFirst = [...saved].toSorted(([, one], [, other]) => one.at - other.at);
  for (const [hash, { size }] of oldestFirst) {
    if (total <= MAX_SIZE) return;
    total -= size;
    saved.delete(hash);
    // One at a time, because each deletion may make the next unnecessary.
    // oxlint-disable-next-line no-await-in-loop
    await database.delete("answers", hash);
  }
}

/** Deletes copies of other users, other versions and those that are too old. Returns the rest. */
async function deleteUnusable(database: CopyDatabase): Promise<typeof saved> {
  const usable: typeof saved = new Map();
  // A cursor can only be read in order.
  /* oxlint-disable no-await-in-loop */
  let cursor = await database.transaction("answers", "readwrite").store.openCursor();
  while (cursor) {
    const { at, size } = cursor.value;
    if (owner && isUsable(cursor.value, owner)) usable.set(cursor.key, { at, size });
    else await cursor.delete();
    cursor = await cursor.continue();
  }
  /* oxlint-enable no-await-in-loop */
  return usable;
}

function isUsable(copy: Copy, userId: string): boolean {
  return copy.owner === userId && copy.version === appVersion() && Date.now() - copy.at < MAX_AGE;
}

/** Another version of the app could misread a copy, so each version reads only its own. */
function appVersion(): string {
  const manifest: unknown = Reflect.get(window, "__reactRouterManifest");
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "";
}

const restoring = new Set<string>();

/** Shows the copy while a query waits for the server. Without a copy the query fails instead of waiting. */
async function restore(query: Query): Promise<void> {
  const isWaiting = () => query.state.data === undefined && query.state.fetchStatus !== "idle";
  if (!owner || !isOwnerSignedIn() || !isWaiting() || restoring.has(query.queryHash)) return;
  restoring.add(query.queryHash);
  const copy = await readOfflineCopy(owner, query.queryKey);
  restoring.delete(query.queryHash);
  if (!isUnreachable() || !isWaiting()) return;
  if (copy) queryClient.setQueryData(query.queryKey, copy.data, { updatedAt: copy.at });
  else if (query.state.fetchStatus === "paused") await fail(query);
}

async function fail(query: Query): Promise<void> {
  await query.cancel({ silent: true });
  const error = new Unreachable(unreachableMessage());
  query.setState({ status: "error", fetchStatus: "idle", error, errorUpdatedAt: Date.now() });
}

/**
 * Opens the database for one action, because an open connection would block its deletion. Returns undefined where the
 * browser has no storage.
 */
async function withDatabase<Result>(
  act: (database: CopyDatabase) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const database = await openDB<Schema>(OFFLINE_DATABASE, 1, {
      upgrade: (created) => void created.createObjectStore("answers"),
    });
    try {
      return await act(database);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
