import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { deleteOfflineCopies } from "~/lib/browser-cache";
import { authClient } from "~/lib/auth";
import { accountQuery } from "./api/account";
import { isSigningOut } from "./api/sign-out";

/** Updates the page when another tab signs in or out, or when the session ends on the server. */
export function useFollowSession(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isUnmounted = false;
    void authClient().then((auth) => {
      if (isUnmounted) return;
      const { data } = auth.onAuthStateChange((event, session) => {
        const shownUserId = queries.getQueryData(accountQuery.queryKey)?.id;
        if (event === "SIGNED_OUT") void deleteOfflineCopies();
        if (event === "SIGNED_OUT" && shownUserId && !isSigningOut(queries))
          queries.setQueryData(accountQuery.queryKey, null);
        if (event === "SIGNED_IN" && shownUserId && session?.user.id !== shownUserId)
          void queries.resetQueries();
      });
      stop = () => data.subscription.unsubscribe();
    });
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [queries]);
}
