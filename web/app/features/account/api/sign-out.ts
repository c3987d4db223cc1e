import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { forgetEverything } from "~/lib/browser-cache";
import { auth } from "~/lib/supabase";
import { toast } from "~/ui/toast-store";
import { messageOf } from "../model";
import { accountQuery } from "./account";

const SIGN_OUT = ["sign-out"];

/** Revokes the session on the server and leaves nothing of it in the browser. */
export function useSignOut(goTo: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: async () => {
      const { error } = await (await auth()).signOut({ scope: "local" });
      if (error) throw error;
    },
    onSuccess: async () => {
      forgetEverything();
      queries.removeQueries();
      queries.setQueryData(accountQuery.queryKey, null);
      toast({ title: "Signed out" });
      await navigate(goTo);
    },
    onError: (error) => toast({ title: "Sign out failed", description: messageOf(error), destructive: true }),
  });
}

/** While someone leaves, the guard must not mistake them for a stranger and send them to sign-in. */
export const useSigningOut = (): boolean => useIsMutating({ mutationKey: SIGN_OUT }) > 0;
