import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { readCompany, updateCompany } from "~/lib/company-row";
import { unwrap } from "~/lib/request";
import type { Months } from "../model";

const retentionQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["retention", companyId],
    queryFn: async (): Promise<Months> =>
      (await readCompany(companyId, ["keep_waivers_months"])).keep_waivers_months,
  });

export const useRetention = (companyId: string) => useQuery(retentionQuery(companyId));

export function useSaveRetention(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (months: Months) => updateCompany(companyId, { keep_waivers_months: months }),
    onSuccess: (_, months) => {
      queries.setQueryData(retentionQuery(companyId).queryKey, months);
      return queries.invalidateQueries({ queryKey: ["planned-erasures"] });
    },
  });
}

/** Returns how many waivers would be erased 30 days from now if the company made this choice. */
export const useWaiversToErase = (months: Months) =>
  useQuery({
    queryKey: ["waivers-to-erase", months],
    enabled: months !== null,
    queryFn: async () => {
      const { rest } = await apiClient();
      return unwrap(rest.rpc("count_waivers_to_erase", { months: months ?? 0 }));
    },
  });

const MAX_SHOWN = 100;

/** Returns the waivers that are erased next, and how many there are in all. */
export const usePlannedErasures = () =>
  useQuery({
    queryKey: ["planned-erasures"],
    queryFn: async () => {
      const { rest } = await apiClient();
      const { data, count, error } = await rest
        .from("planned_erasures")
        .select("waiver_id, session_id, signer_name, template_name, signed_at, erase_at", { count: "exact" })
        .order("erase_at")
        .limit(MAX_SHOWN);
      if (error) throw error;
      return { waivers: data, count: count ?? data.length };
    },
  });
