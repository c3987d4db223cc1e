import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { readCompany, updateCompany } from "~/lib/company-row";

/** Reads the websites that may show the company's signing pages in a frame. A single `*` means any website. */
const framedByQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["framed-by", companyId],
    meta: KEEP_OFFLINE,
    queryFn: async () => (await readCompany(companyId, ["framed_by"])).framed_by,
  });

export const useFramedBy = (companyId: string) => useQuery(framedByQuery(companyId));

export function useSaveFramedBy(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (framed_by: string[]) => updateCompany(companyId, { framed_by }),
    onSuccess: (_, websites) => queries.setQueryData(framedByQuery(companyId).queryKey, websites),
  });
}
