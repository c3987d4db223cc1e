import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { readCompany } from "~/lib/company-row";
import { errorMessage } from "~/lib/error-message";
import { callFunction } from "~/lib/functions";
import { toast } from "~/ui/toast-store";

const deletionQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["company-deletion", companyId],
    queryFn: async () => (await readCompany(companyId, ["delete_at"])).delete_at,
  });

/** Reads when the company will be deleted. The result is null if no deletion is planned. */
export const useCompanyDeletion = (companyId: string) => useQuery(deletionQuery(companyId));

export function useDeleteCompany(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callFunction("delete-company"),
    onSuccess: () => queries.invalidateQueries({ queryKey: deletionQuery(companyId).queryKey }),
  });
}

export function useKeepCompany(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callFunction("keep-company"),
    onSuccess: () => {
      toast({
        title: "Your company stays",
        description: "A paid plan still ends. You can renew it under Billing.",
      });
      return queries.invalidateQueries({ queryKey: deletionQuery(companyId).queryKey });
    },
    onError: (error) => toast({ title: "Not changed", description: errorMessage(error), destructive: true }),
  });
}
