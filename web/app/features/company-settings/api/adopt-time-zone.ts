import { apiClient } from "~/lib/api";
import { isUnreachable } from "~/lib/connection";
import { queryClient } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { browserTimeZone } from "../time-zones";

/** Stores the time zone of this browser for a company that has not chosen one. */
export async function adoptTimeZone(companyId: string): Promise<void> {
  // The account may be an offline copy. The next visit with a connection stores the zone.
  if (isUnreachable()) return;
  const { rest } = await apiClient();
  const companies = rest.from("companies").update({ time_zone: browserTimeZone() });
  // Someone else in the company may have chosen a zone since the page was loaded.
  await unwrap(companies.eq("id", companyId).eq("time_zone_is_set", false));
  await queryClient.invalidateQueries({ queryKey: ["company-settings"] });
}
