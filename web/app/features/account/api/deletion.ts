import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "~/lib/error-message";
import { callFunction } from "~/lib/functions";
import { toast } from "~/ui/toast-store";
import { accountQuery } from "./account";

/** Plans the deletion of the account. `Account.deleteAt` then says when it will be deleted. */
export function useDeleteAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callFunction("delete-account"),
    onSuccess: () => queries.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
}

export function useKeepAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callFunction("keep-account"),
    onSuccess: () => {
      toast({ title: "Your account stays" });
      return queries.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
    onError: (error) => toast({ title: "Not changed", description: errorMessage(error), destructive: true }),
  });
}
