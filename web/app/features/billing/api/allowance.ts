import { useQuery } from "@tanstack/react-query";
import type { AllowanceRow } from "~/lib/database";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";

/** How many waivers were sent this month, and how many the plan covers. */
export function useAllowance() {
  return useQuery({ queryKey: ["billing", "allowance"], queryFn: fetchAllowance });
}

async function fetchAllowance(): Promise<AllowanceRow> {
  const { rest } = await connect();
  return take(rest.rpc("waiver_allowance"));
}
