import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { updateCompany } from "~/lib/update-company";

/** Reads the websites that may show the company's signing pages in a frame. A single `*` means any website. */
const framedByQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["framed-by", companyId],
    meta: KEEP_OFFLINE,
    queryFn: async () => {
      const { rest } = await apiClient();
      const row = await unwrap(rest.from("companies").select("framed_by").eq("id", companyId).single());
      return row.framed_by;
    },
  });

export const useFramedBy = (companyId: string) => useQuery(framedByQuery(companyId));

export function useSaveFramedBy(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (framed_by: string[]) => updateCompany(companyId, { framed_by }),
    onSuccess: (_, websites) => queries.setQueryData(framedByQuery(companyId).queryKey, websites),
  });
}
