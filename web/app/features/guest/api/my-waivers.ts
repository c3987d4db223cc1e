import { queryOptions, useQuery } from "@tanstack/react-query";
import type { AddressState } from "~/lib/database";
import { KEPT } from "~/lib/query-client";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import { sorted, type MyWaivers } from "../model";

export type Found = { address: AddressState; waivers: MyWaivers };

/** Asked anew whenever someone comes back to the page: the link in the mail is opened somewhere else. */
export const myWaiversQuery = queryOptions({
  queryKey: ["my-waivers"],
  queryFn: fetchMyWaivers,
  meta: KEPT,
  refetchOnWindowFocus: "always",
});

export const useMyWaivers = () => useQuery(myWaiversQuery);

async function fetchMyWaivers(): Promise<Found> {
  const { rest } = await connect();
  const [address, rows] = await Promise.all([take(rest.rpc("my_address")), take(rest.rpc("my_waivers"))]);
  return { address: address ?? "unverified", waivers: sorted(rows) };
}
