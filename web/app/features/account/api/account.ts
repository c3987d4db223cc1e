import { queryOptions, useQuery } from "@tanstack/react-query";
import { clearBrowserData, writeCache, readCache } from "~/lib/browser-cache";
import { KEEP_OFFLINE, queryClient } from "~/lib/query-client";
import { recheck, isUnreachable, rejectWhenUnreachable, Unreachable } from "~/lib/reach";
import { RequestFailed, unwrap } from "~/lib/request";
import { storedSession } from "~/lib/stored-session";
import { apiClient } from "~/lib/api";
import { mayBeSignedIn, isSecondFactorPending, signedInUserId } from "~/lib/session";
import { cachedUser, isAccount, isCacheOf, type Account } from "../model";

/** Who is signed in, as the server says; null for nobody, and for someone who has still to show a second proof. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: fetchAccount,
  staleTime: Infinity,
  gcTime: Infinity,
  meta: KEEP_OFFLINE,
  // Without a network it has an answer too.
  networkMode: "always",
});

export const useAccount = () => useQuery(accountQuery);

/** For those outside React, and for pages that do not carry the query cache with them. */
export const readAccount = (): Promise<Account | null> =>
  queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });

function fetchAccount(): Promise<Account | null> {
  const asked = isUnreachable()
    ? rejectWhenUnreachable()
    : Promise.race([askServer().catch(makeSure), rejectWhenUnreachable()]);
  return asked.catch(askDevice);
}

async function askServer(): Promise<Account | null> {
  if (!mayBeSignedIn()) return null;
  const id = await signedInUserId();
  if (!id || isSecondFactorPending()) return null;
  const account = await fetchPerson(id).catch((error: unknown) => {
    // The server does not know this session any more.
    if (error instanceof RequestFailed && error.status === 401) return null;
    throw error;
  });
  if (!account) return null;
  if (!isCacheOf(readCache("user"), account)) await clearBrowserData();
  writeCache("user", cachedUser(account));
  return account;
}

/** Whether it was this request alone that got no answer. */
async function makeSure(failure: unknown): Promise<never> {
  if (failure instanceof RequestFailed && failure.status === 0) await recheck();
  throw failure;
}

/** Where no server answers, its last answer about whoever holds the session opens what lies on this device, and no more. */
async function askDevice(reason: unknown): Promise<Account | null> {
  if (!(reason instanceof Unreachable)) throw reason;
  const person = storedSession()?.user.id;
  if (!person || isSecondFactorPending()) return null;
  const { startOfflineCopies, readOfflineCopy } = await import("~/lib/offline-copies");
  const copy = await readOfflineCopy(person, accountQuery.queryKey);
  if (!isAccount(copy?.data)) throw reason;
  await startOfflineCopies(person);
  return copy.data;
}

async function fetchPerson(id: string): Promise<Account | null> {
  const { rest } = await apiClient();
  const [profile, company] = await Promise.all([
    unwrap(
      rest
        .from("profiles")
        .select("id, role, name, email, bio, profile_picture, company_id, created_at")
        .eq("id", id)
        .maybeSingle(),
    ),
    unwrap(rest.from("companies").select("id, name").maybeSingle()),
  ]);
  if (!profile) return null;
  const { role, name, email, bio, profile_picture, created_at } = profile;
  return { id, role, name, email, bio, profilePicture: profile_picture, createdAt: created_at, company };
}
