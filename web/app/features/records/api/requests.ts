import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { toast } from "~/ui/toast-store";

const REQUESTS = ["erasure-requests"];

/** Returns the open requests of guests, oldest first, because the law sets a deadline for the answer. */
export const useOpenRequests = (companyId: string) =>
  useQuery({
    queryKey: [...REQUESTS, companyId],
    queryFn: async () => {
      const { rest } = await apiClient();
      return unwrap(
        rest
          .from("erasure_requests")
          .select("id, email, note, requested_at")
          .eq("company_id", companyId)
          .eq("status", "open")
          .order("requested_at"),
      );
    },
  });

type Answer = { requestId: string; isGranted: boolean; reason: string };

export function useAnswerRequest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ requestId, isGranted, reason }: Answer) => {
      const { rest } = await apiClient();
      return unwrap(
        rest.rpc("answer_erasure_request", { request_id: requestId, is_granted: isGranted, reason }),
      );
    },
    onSuccess: (_, { isGranted }) =>
      toast({
        title: isGranted ? "Waivers erased" : "Request refused",
        description: "The guest sees your answer.",
      }),
    onSettled: () =>
      Promise.all([REQUESTS, ["waivers"]].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
