import { queryOptions, useQuery } from "@tanstack/react-query";
import { deleteDataOfPreviousUser, writeCache, readCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE, queryClient } from "~/lib/query-client";
import { recheckConnection, isUnreachable, rejectWhenUnreachable, Unreachable } from "~/lib/connection";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { storedSession } from "~/lib/stored-session";
import { apiClient } from "~/lib/api";
import { mayBeSignedIn, isSecondFactorPending, signedInUserId } from "~/lib/session";
import { toCachedUser, isAccount, isCacheOf, type Account } from "../model";

/**
 * Reads the signed-in user from the server. The result is null if no one is signed in or a second factor is pending.
 */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: fetchAccount,
  staleTime: Infinity,
  gcTime: Infinity,
  meta: KEEP_OFFLINE,
  // Without a network the query reads the offline copy.
  networkMode: "always",
});

export const useAccount = () => useQuery(accountQuery);

/** Reads the account in code outside React and on pages without a query client provider. */
export const readAccount = (): Promise<Account | null> =>
  queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });

function fetchAccount(): Promise<Account | null> {
  const request = isUnreachable()
    ? rejectWhenUnreachable()
    : Promise.race([fetchFromServer().catch(recheckAndRethrow), rejectWhenUnreachable()]);
  return request.catch(readFromDevice);
}

async function fetchFromServer(): Promise<Account | null> {
  if (!mayBeSignedIn()) return null;
  const id = await signedInUserId();
  if (!id || isSecondFactorPending()) return null;
  const account = await fetchProfile(id).catch((error: unknown) => {
    // The session has ended on the server.
    if (error instanceof RequestFailed && error.status === 401) return null;
    throw error;
  });
  if (!account) return null;
  if (!isCacheOf(readCache("user"), account)) await deleteDataOfPreviousUser();
  writeCache("user", toCachedUser(account));
  return account;
}

/**
 * If a request got no response, checks the connection before rethrowing the error. If this check finds that
 * the server is unreachable, the offline copy is read instead.
 */
async function recheckAndRethrow(failure: unknown): Promise<never> {
  if (failure instanceof RequestFailed && failure.status === 0) await recheckConnection();
  throw failure;
}

/** If the server cannot be reached, the offline copy of the account gives access to the data stored on this device. */
async function readFromDevice(reason: unknown): Promise<Account | null> {
  if (!(reason instanceof Unreachable)) throw reason;
  const userId = storedSession()?.user.id;
  if (!userId || isSecondFactorPending()) return null;
  const { startOfflineCopies, readOfflineCopy } = await import("~/lib/offline-copies");
  const copy = await readOfflineCopy(userId, accountQuery.queryKey);
  if (!isAccount(copy?.data)) throw reason;
  await startOfflineCopies(userId);
  return copy.data;
}

async function fetchProfile(id: string): Promise<Account | null> {
  const { rest } = await apiClient();
  const [profile, company] = await Promise.all([
    unwrap(
      rest
        .from("profiles")
        .select("id, role, name, email, bio, profile_picture, company_id, created_at, delete_at")
        .eq("id", id)
        .maybeSingle(),
    ),
    unwrap(rest.from("companies").select("id, name, time_zone_is_set").maybeSingle()),
  ]);
  if (!profile) return null;
  const { role, name, email, bio, profile_picture, created_at, delete_at } = profile;
  return {
    id,
    role,
    name,
    email,
    bio,
    profilePicture: profile_picture,
    createdAt: created_at,
    deleteAt: delete_at,
    company,
  };
}
