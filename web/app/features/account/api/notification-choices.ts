import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { messageOf, type Account } from "../model";

const choicesQuery = ({ id }: Account) =>
  queryOptions({
    queryKey: ["notification-choices", id],
    meta: KEEP_OFFLINE,
    queryFn: async () => {
      const { rest } = await apiClient();
      return unwrap(rest.from("profiles").select("email_on_signing").eq("id", id).single());
    },
  });

export const useNotificationChoices = (account: Account) => useQuery(choicesQuery(account));

/** Shown as chosen at once, and taken back when the server refuses. */
export function useTellByEmail(account: Account) {
  const queries = useQueryClient();
  const { queryKey } = choicesQuery(account);
  return useMutation({
    mutationFn: async (email_on_signing: boolean) => {
      const { rest } = await apiClient();
      await unwrap(rest.from("profiles").update({ email_on_signing }).eq("id", account.id));
    },
    onMutate: (email_on_signing) => queries.setQueryData(queryKey, { email_on_signing }),
    onError: (error, chosen) => {
      queries.setQueryData(queryKey, { email_on_signing: !chosen });
      toast({ title: "Update failed", description: messageOf(error), destructive: true });
    },
  });
}
