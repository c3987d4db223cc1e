import { queryOptions, useQuery } from "@tanstack/react-query";
import { keep } from "~/lib/browser-cache";
import { take } from "~/lib/request";
import { connect, mayBeSignedIn } from "~/lib/supabase";
import { cachedUser, type Account } from "../model";

/** Who is signed in, as the server says; null for nobody. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: fetchAccount,
  staleTime: Infinity,
  gcTime: Infinity,
});

export const useAccount = () => useQuery(accountQuery);

async function fetchAccount(): Promise<Account | null> {
  if (!mayBeSignedIn()) return null;
  const supabase = await connect();
  const { data } = await supabase.auth.getSession();
  if (!data.session) return null;
  const [profile, company] = await Promise.all([
    take(
      supabase.rest
        .from("profiles")
        .select("id, role, name, email, bio, company_id, created_at")
        .eq("id", data.session.user.id)
        .maybeSingle(),
    ),
    take(supabase.rest.from("companies").select("id, name").maybeSingle()),
  ]);
  if (!profile) return null;
  const { id, role, name, email, bio, created_at } = profile;
  const account: Account = { id, role, name, email, bio, createdAt: created_at, company };
  keep("user", cachedUser(account));
  return account;
}
