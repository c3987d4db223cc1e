import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Database } from "~/lib/database";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { groupWaivers, type MyWaivers } from "../model";

type AddressState = NonNullable<Database["public"]["Functions"]["my_address"]["Returns"]>;

export type MyWaiversResult = { address: AddressState; waivers: MyWaivers };

/**
 * The list is refetched whenever the page gets the focus, because the link that confirms the
 * address may have been opened in another tab.
 */
export const myWaiversQuery = queryOptions({
  queryKey: ["my-waivers"],
  queryFn: fetchMyWaivers,
  meta: KEEP_OFFLINE,
  refetchOnWindowFocus: "always",
});

export const useMyWaivers = () => useQuery(myWaiversQuery);

async function fetchMyWaivers(): Promise<MyWaiversResult> {
  const { rest } = await apiClient();
  const [address, rows] = await Promise.all([unwrap(rest.rpc("my_address")), unwrap(rest.rpc("my_waivers"))]);
  return { address: address ?? "unverified", waivers: groupWaivers(rows) };
}
