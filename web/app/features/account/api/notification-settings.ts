import { errorMessage } from "~/lib/error-message";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";
import { type Account } from "../model";

const settingsQuery = ({ id }: Account) =>
  queryOptions({
    queryKey: ["notification-settings", id],
    meta: KEEP_OFFLINE,
    queryFn: async () => {
      const { rest } = await apiClient();
      return unwrap(rest.from("profiles").select("email_on_signing").eq("id", id).single());
    },
  });

export const useNotificationSettings = (account: Account) => useQuery(settingsQuery(account));

/** Updates the switch optimistically and reverts it if the server rejects the change. */
export function useEmailOnSigning(account: Account) {
  const queries = useQueryClient();
  const { queryKey } = settingsQuery(account);
  return useMutation({
    mutationFn: async (email_on_signing: boolean) => {
      const { rest } = await apiClient();
      await unwrap(rest.from("profiles").update({ email_on_signing }).eq("id", account.id));
    },
    onMutate: async (email_on_signing) => {
      // A request that is still loading the settings would show the old value again.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, { email_on_signing });
    },
    onError: (error, enabled) => {
      queries.setQueryData(queryKey, { email_on_signing: !enabled });
      toast({ title: "Update failed", description: errorMessage(error), destructive: true });
    },
  });
}
