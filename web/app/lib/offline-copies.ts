import type { Query, QueryKey } from "@tanstack/react-query";
import { hashKey } from "@tanstack/react-query";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { OFFLINE_DATABASE } from "./browser-cache";
import { queryClient } from "./query-client";
import { isUnreachable, onConnectionChange, unreachableMessage, Unreachable } from "./connection";
import { storedSession } from "./stored-session";
import { throttle } from "./throttle";

/**
 * This module saves query data on this device for use offline. Only queries with `meta: KEEP_OFFLINE` are saved, and
 * only for the signed-in user. Copies are kept for at most two weeks and have at most five million characters in total.
 */
const MAX_AGE_MS = 14 * 24 * 3_600_000;
const MAX_RECENT_AGE_MS = 3_600_000;
const MAX_CHARACTERS = 5_000_000;
const SAVE_INTERVAL_MS = 1_000;

/**
 * `version` is the version of the app that saved the copy. `at` is when the data was fetched, in milliseconds. `size` is
 * the number of characters.
 */
type Copy = { owner: string; version: string; data: unknown; at: number; size: number };
/** The object store is called `answers`. Another name would need a new version of the database. */
interface Schema extends DBSchema {
  answers: { key: string; value: Copy };
}
type CopyDatabase = IDBPDatabase<Schema>;

let owner: string | null = null;
let savedCopies = new Map<string, Pick<Copy, "at" | "size">>();

/** Starts to save query data for this user and to show it while the server is unreachable. */
export async function startOfflineCopies(userId: string): Promise<void> {
  const isFirst = owner === null;
  owner = userId;
  savedCopies = (await withDatabase(deleteUnusable)) ?? new Map<string, never>();
  if (isFirst) listenForChanges();
  saveAll();
}

export async function readOfflineCopy(userId: string, key: QueryKey): Promise<Copy | undefined> {
  const copy = await withDatabase((database) => database.get("answers", hashKey(key)));
  return copy && isUsable(copy, userId) ? copy : undefined;
}

/** Tells whether there is a copy that is at most an hour old. */
export const hasRecentCopy = (key: QueryKey): boolean =>
  Date.now() - (savedCopies.get(hashKey(key))?.at ?? 0) < MAX_RECENT_AGE_MS;

function listenForChanges(): void {
  const saveSoon = throttle(saveAll, SAVE_INTERVAL_MS);
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (isUnreachable()) void restore(query);
    else if (isUnsaved(query)) saveSoon();
  });
  onConnectionChange(restoreAll);
  restoreAll();
}

function restoreAll(): void {
  if (isUnreachable()) for (const query of queryClient.getQueryCache().getAll()) void restore(query);
}

const isUnsaved = ({ meta, state, queryHash }: Query): boolean =>
  meta?.keepOffline === true &&
  state.status === "success" &&
  savedCopies.get(queryHash)?.at !== state.dataUpdatedAt;

function saveAll(): void {
  const unsavedQueries = queryClient.getQueryCache().getAll().filter(isUnsaved);
  if (unsavedQueries.length > 0)
    void withDatabase((database) => Promise.all(unsavedQueries.map((query) => save(database, query))));
}

async function save(database: CopyDatabase, { queryHash, state, meta }: Query): Promise<void> {
  if (!owner || !isOwnerSignedIn()) return;
  const firstData = firstPage(state.data);
  const data = meta?.withoutSecrets ? meta.withoutSecrets(firstData) : firstData;
  const size = JSON.stringify(data)?.length ?? 0;
  const at = state.dataUpdatedAt;
  if (size > MAX_CHARACTERS) {
    // The data is too large to be saved. It counts as saved, so that no further attempt is made.
    savedCopies.set(queryHash, { at, size: 0 });
    return;
  }
  savedCopies.set(queryHash, { at, size });
  await database.put("answers", { owner, version: appVersion(), data, at, size }, queryHash);
  await deleteOldest(database);
}

/** After the owner has signed out, perhaps in another window, nothing may be saved or shown. */
const isOwnerSignedIn = (): boolean => storedSession()?.user.id === owner;

/** Returns the first page of a long list, because only that page is saved. */
function firstPage(data: unknown): unknown {
  const isPaged = typeof data === "object" && data !== null && "pages" in data && "pageParams" in data;
  if (!isPaged || !Array.isArray(data.pages) || !Array.isArray(data.pageParams)) return data;
  return { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Deletes the oldest copies until the others are within the limit. */
async function deleteOldest(database: CopyDatabase): Promise<void> {
  let total = [...savedCopies.values()].reduce((sum, { size }) => sum + size, 0);
  const oldestFirst = [...savedCopies].toSorted(([, a], [, b]) => a.at - b.at);
  for (const [hash, { size }] of oldestFirst) {
    if (total <= MAX_CHARACTERS) return;
    total -= size;
    savedCopies.delete(hash);
    // The copies are deleted one after the other, because each deletion may make the next unnecessary.
    // oxlint-disable-next-line no-await-in-loop
    await database.delete("answers", hash);
  }
}

/** Deletes copies that belong to other users or versions or are too old. Returns the remaining ones. */
async function deleteUnusable(database: CopyDatabase): Promise<typeof savedCopies> {
  const usable: typeof savedCopies = new Map();
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
  return copy.owner === userId && copy.version === appVersion() && Date.now() - copy.at < MAX_AGE_MS;
}

/** Another version of the app could misread a copy, so each version reads only its own. */
function appVersion(): string {
  const manifest: unknown = Reflect.get(window, "__reactRouterManifest");
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "";
}

const restoringHashes = new Set<string>();

/** Shows the copy while a query waits for the server. Without a copy the query fails instead of waiting. */
async function restore(query: Query): Promise<void> {
  const isWaiting = () => query.state.data === undefined && query.state.fetchStatus !== "idle";
  if (!owner || !isOwnerSignedIn() || !isWaiting() || restoringHashes.has(query.queryHash)) return;
  restoringHashes.add(query.queryHash);
  const copy = await readOfflineCopy(owner, query.queryKey);
  restoringHashes.delete(query.queryHash);
  if (!isUnreachable() || !isWaiting()) return;
  if (copy) queryClient.setQueryData(query.queryKey, copy.data, { updatedAt: copy.at });
  else if (query.state.fetchStatus === "paused") await failAsUnreachable(query);
}

async function failAsUnreachable(query: Query): Promise<void> {
  await query.cancel({ silent: true });
  const error = new Unreachable(unreachableMessage());
  query.setState({ status: "error", fetchStatus: "idle", error, errorUpdatedAt: Date.now() });
}

/**
 * Opens the database for one action only, because an open connection would block its deletion. Returns undefined if the
 * browser has no storage.
 */
async function withDatabase<Result>(
  action: (database: CopyDatabase) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const database = await openDB<Schema>(OFFLINE_DATABASE, 1, {
      upgrade: (newDatabase) => void newDatabase.createObjectStore("answers"),
    });
    try {
      return await action(database);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
