import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";

const progressQuery = (userId: string) =>
  queryOptions({
    queryKey: ["first-steps", userId],
    queryFn: () => fetchProgress(userId),
    meta: KEEP_OFFLINE,
  });

export const useFirstSteps = (userId: string) => useQuery(progressQuery(userId));

async function fetchProgress(userId: string): Promise<{ isHidden: boolean; hasTemplate: boolean }> {
  const { rest } = await apiClient();
  const [profile, templates] = await Promise.all([
    unwrap(rest.from("profiles").select("first_steps_hidden").eq("id", userId).single()),
    unwrap(rest.from("waiver_templates").select("id").not("company_id", "is", null).limit(1)),
  ]);
  return { isHidden: profile.first_steps_hidden, hasTemplate: templates.length > 0 };
}

/** Hides the list immediately and shows it again if saving fails. */
export function useHideFirstSteps(userId: string) {
  const queries = useQueryClient();
  const { queryKey } = progressQuery(userId);
  const setHidden = (isHidden: boolean) =>
    queries.setQueryData(queryKey, (progress) => progress && { ...progress, isHidden });
  return useMutation({
    mutationFn: async () => {
      const { rest } = await apiClient();
      await unwrap(rest.from("profiles").update({ first_steps_hidden: true }).eq("id", userId));
    },
    onMutate: () => void setHidden(true),
    onError: (error) => {
      setHidden(false);
      toast({ title: "The list was not put away", description: error.message, destructive: true });
    },
  });
}
