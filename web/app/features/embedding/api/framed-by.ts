import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEPT } from "~/lib/query-client";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";

const framedByQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["framed-by", companyId],
    meta: KEPT,
    queryFn: async () => {
      const { rest } = await connect();
      const row = await take(rest.from("companies").select("framed_by").eq("id", companyId).single());
      return row.framed_by;
    },
  });

export const useFramedBy = (companyId: string) => useQuery(framedByQuery(companyId));

export function useSaveFramedBy(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (framed_by: string[]) => {
      const { rest } = await connect();
      await take(rest.from("companies").update({ framed_by }).eq("id", companyId));
    },
    onSuccess: (_, framedBy) => queries.setQueryData(framedByQuery(companyId).queryKey, framedBy),
  });
}
