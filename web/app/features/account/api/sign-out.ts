import { errorMessage } from "~/lib/error-message";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { clearBrowserData } from "~/lib/browser-cache";
import { isUnreachable } from "~/lib/reach";
import { SESSION_KEY } from "~/lib/stored-session";
import { authClient } from "~/lib/auth";
import { mayBeSignedIn } from "~/lib/session";
import { paths } from "~/paths";
import { toast } from "~/ui/toast-store";

const SIGN_OUT = ["sign-out"];
const EVERYWHERE = { description: "On this device and on every other." };

/** Revokes this session, or with scope `global` all sessions of the user, and deletes the browser's copies. */
export function useSignOut(goTo: string, scope: "local" | "global" = "local") {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: async () => {
      if (scope === "local" && isUnreachable()) return forgetSession();
      const { error } = await (await authClient()).signOut({ scope });
      if (error) throw error;
    },
    onSuccess: () => toast({ title: "Signed out", ...(scope === "global" && EVERYWHERE) }),
    onError: (error) =>
      toast({ title: "Sign out failed", description: errorMessage(error), destructive: true }),
    // The client drops the session even if the server could not be reached, so the cached data must go as well.
    onSettled: async (_, error) => {
      if (mayBeSignedIn()) return;
      await clearBrowserData();
      // The front page is a separate document that announces the sign-out itself. It is not used after an error,
      // because it would announce a sign-out that failed, nor without a network, because it could not be loaded.
      const isOutside = import.meta.env.PROD && goTo === paths.home;
      if (isOutside && !error && !isUnreachable()) return leaveForFrontPage();
      // Leave the guarded page synchronously, before the account is removed: it would redirect to sign-in otherwise.
      await navigate(error || isOutside ? paths.signIn : goTo, { flushSync: true });
      queries.removeQueries();
    },
  });
}

/** Without a network the server cannot be notified; the device drops the session anyway. */
function forgetSession(): void {
  localStorage.removeItem(SESSION_KEY);
}

function leaveForFrontPage(): void {
  // The router stores scroll positions when the page is left, and no data may remain in the browser.
  window.addEventListener("pagehide", () => void clearBrowserData(), { once: true });
  window.location.assign(paths.signedOut);
}

export function useSignOutOtherSessions() {
  return useMutation({
    mutationFn: async () => {
      const { error } = await (await authClient()).signOut({ scope: "others" });
      if (error) throw error;
    },
    onSuccess: () => toast({ title: "Signed out elsewhere", description: "This is now your only session." }),
    onError: (error) =>
      toast({ title: "Sign out failed", description: errorMessage(error), destructive: true }),
  });
}

/** While this tab signs out, the sign-out event is not a surprise and must not redirect. */
export const isSigningOut = (queries: QueryClient): boolean =>
  queries.isMutating({ mutationKey: SIGN_OUT }) > 0;
