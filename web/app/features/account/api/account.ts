import { queryOptions, useQuery } from "@tanstack/react-query";
import { forgetEverything, keep, kept } from "~/lib/browser-cache";
import { queryClient } from "~/lib/query-client";
import { RequestFailed, take } from "~/lib/request";
import { connect, mayBeSignedIn, mustProveMore, signedInId } from "~/lib/supabase";
import { cachedUser, isCacheOf, type Account } from "../model";

/** Who is signed in, as the server says; null for nobody, and for someone who has still to show a second proof. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: fetchAccount,
  staleTime: Infinity,
  gcTime: Infinity,
});

export const useAccount = () => useQuery(accountQuery);

/** For those outside React, and for pages that do not carry the query cache with them. */
export const readAccount = (): Promise<Account | null> =>
  queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });

async function fetchAccount(): Promise<Account | null> {
  if (!mayBeSignedIn()) return null;
  const id = await signedInId();
  if (!id || mustProveMore()) return null;
  const account = await fetchPerson(id).catch((error: unknown) => {
    // The server does not know this session any more.
    if (error instanceof RequestFailed && error.status === 401) return null;
    throw error;
  });
  if (!account) return null;
  if (!isCacheOf(kept("user"), account)) forgetEverything();
  keep("user", cachedUser(account));
  return account;
}

async function fetchPerson(id: string): Promise<Account | null> {
  const { rest } = await connect();
  const [profile, company] = await Promise.all([
    take(
      rest
        .from("profiles")
        .select("id, role, name, email, bio, profile_picture, company_id, created_at")
        .eq("id", id)
        .maybeSingle(),
    ),
    take(rest.from("companies").select("id, name").maybeSingle()),
  ]);
  if (!profile) return null;
  const { role, name, email, bio, profile_picture, created_at } = profile;
  return { id, role, name, email, bio, profilePicture: profile_picture, createdAt: created_at, company };
}
