import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { deleteOfflineCopies } from "~/lib/browser-cache";
import { authClient } from "~/lib/auth";
import { accountQuery } from "./api/account";
import { isSigningOut } from "./api/sign-out";

/** Another tab may sign out or in, and a session may end on the server: the page follows. */
export function useFollowSession(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let left = false;
    void authClient().then((people) => {
      if (left) return;
      const { data } = people.onAuthStateChange((event, session) => {
        const known = queries.getQueryData(accountQuery.queryKey)?.id;
        if (event === "SIGNED_OUT") void deleteOfflineCopies();
        if (event === "SIGNED_OUT" && known && !isSigningOut(queries))
          queries.setQueryData(accountQuery.queryKey, null);
        if (event === "SIGNED_IN" && known && session?.user.id !== known) void queries.resetQueries();
      });
      stop = () => data.subscription.unsubscribe();
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [queries]);
}
