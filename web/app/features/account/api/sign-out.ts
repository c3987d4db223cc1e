import { errorMessage } from "~/lib/error-message";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { clearBrowserData } from "~/lib/browser-cache";
import { isUnreachable } from "~/lib/connection";
import { SESSION_KEY } from "~/lib/stored-session";
import { authClient } from "~/lib/auth";
import { mayBeSignedIn } from "~/lib/session";
import { paths } from "~/paths";
import { toast } from "~/ui/toast-store";

const SIGN_OUT_KEY = ["sign-out"];
const EVERYWHERE_DESCRIPTION = { description: "On this device and on every other." };

/**
 * Ends this session, or with scope `global` all sessions of the user, and deletes the data in this browser. Without a
 * connection, the session ends only in this browser.
 */
export function useSignOut(destination: string, scope: "local" | "global" = "local") {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationKey: SIGN_OUT_KEY,
    mutationFn: async () => {
      if (scope === "local" && isUnreachable()) return forgetSession();
      const { error } = await (await authClient()).signOut({ scope });
      if (error) throw error;
    },
    onSuccess: () => toast({ title: "Signed out", ...(scope === "global" && EVERYWHERE_DESCRIPTION) }),
    onError: (error) =>
      toast({ title: "Sign out failed", description: errorMessage(error), destructive: true }),
    // `signOut` may remove the stored session although it returns an error. Then the cached data must be deleted too.
    onSettled: async (_, error) => {
      if (mayBeSignedIn()) return;
      await clearBrowserData();
      // In production the front page is a separate document that announces the sign-out itself. After an error the
      // announcement would be wrong, and without a connection the page could not be loaded. In both cases the sign-in
      // page is opened instead.
      const isFrontPage = import.meta.env.PROD && destination === paths.home;
      if (isFrontPage && !error && !isUnreachable()) return leaveForFrontPage();
      // Leave the page before the cached account is removed: without an account, a guarded page redirects to
      // sign-in.
      await navigate(error || isFrontPage ? paths.signIn : destination, { flushSync: true });
      queries.removeQueries();
    },
  });
}

/** The server cannot be reached, so the session ends only in this browser. */
function forgetSession(): void {
  localStorage.removeItem(SESSION_KEY);
}

function leaveForFrontPage(): void {
  // The router stores scroll positions when the page is left. They are deleted, because no data may remain.
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

/** Tells whether this tab is signing out. The sign-out event is then expected and must not redirect. */
export const isSigningOut = (queries: QueryClient): boolean =>
  queries.isMutating({ mutationKey: SIGN_OUT_KEY }) > 0;
