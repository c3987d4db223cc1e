import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { toast } from "~/ui/toast-store";

const REQUESTS = ["erasure-requests"];

/**
 * Returns the companies for which the guest has signed waivers, and the guest's requests to erase these
 * waivers. The newest request comes first.
 */
export const useMyErasures = () =>
  useQuery({
    queryKey: REQUESTS,
    queryFn: async () => {
      const { rest } = await apiClient();
      const [companies, requests] = await Promise.all([
        unwrap(rest.rpc("my_companies")),
        unwrap(
          rest
            .from("erasure_requests")
            .select("id, company_id, company_name, status, requested_at, answer, answered_at")
            .order("requested_at", { ascending: false }),
        ),
      ]);
      return { companies, requests };
    },
  });

export function useRequestErasure() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ companyId, note }: { companyId: string; note: string }) => {
      const { rest } = await apiClient();
      return unwrap(rest.rpc("request_erasure", { company_id: companyId, note }));
    },
    onSuccess: () =>
      toast({
        title: "Request sent",
        description: "You see the answer here as soon as the company gives it.",
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: REQUESTS }),
  });
}
