import { useQuery } from "@tanstack/react-query";
import type { AllowanceRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

/** Reads how many waivers were sent this month and how many the plan covers. */
export function useAllowance() {
  return useQuery({ queryKey: ["billing", "allowance"], queryFn: fetchAllowance });
}

async function fetchAllowance(): Promise<AllowanceRow> {
  const { rest } = await apiClient();
  return unwrap(rest.rpc("waiver_allowance"));
}
