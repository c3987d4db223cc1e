import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";

const factsQuery = (personId: string) =>
  queryOptions({
    queryKey: ["first-steps", personId],
    queryFn: () => fetchFacts(personId),
    meta: KEEP_OFFLINE,
  });

export const useFirstSteps = (personId: string) => useQuery(factsQuery(personId));

async function fetchFacts(personId: string): Promise<{ isHidden: boolean; hasTemplate: boolean }> {
  const { rest } = await apiClient();
  const [profile, templates] = await Promise.all([
    unwrap(rest.from("profiles").select("first_steps_hidden").eq("id", personId).single()),
    unwrap(rest.from("waiver_templates").select("id").not("company_id", "is", null).limit(1)),
  ]);
  return { isHidden: profile.first_steps_hidden, hasTemplate: templates.length > 0 };
}

/** Gone at once, and back when the server could not be told. */
export function useHideFirstSteps(personId: string) {
  const queries = useQueryClient();
  const { queryKey } = factsQuery(personId);
  const show = (isHidden: boolean) =>
    queries.setQueryData(queryKey, (facts) => facts && { ...facts, isHidden });
  return useMutation({
    mutationFn: async () => {
      const { rest } = await apiClient();
      await unwrap(rest.from("profiles").update({ first_steps_hidden: true }).eq("id", personId));
    },
    onMutate: () => void show(true),
    onError: (error) => {
      show(false);
      toast({ title: "The list was not put away", description: error.message, destructive: true });
    },
  });
}
