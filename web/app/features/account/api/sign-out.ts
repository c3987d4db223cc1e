import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { clearBrowserData } from "~/lib/browser-cache";
import { isUnreachable } from "~/lib/reach";
import { SESSION_KEY } from "~/lib/stored-session";
import { authClient } from "~/lib/auth";
import { mayBeSignedIn } from "~/lib/session";
import { paths } from "~/paths";
import { toast } from "~/ui/toast-store";
import { messageOf } from "../model";

const SIGN_OUT = ["sign-out"];
const EVERYWHERE = { description: "On this device and on every other." };

/** Revokes the session on the server, or all of this person's, and leaves nothing of it in the browser. */
export function useSignOut(goTo: string, scope: "local" | "global" = "local") {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: async () => {
      if (scope === "local" && isUnreachable()) return leaveQuietly();
      const { error } = await (await authClient()).signOut({ scope });
      if (error) throw error;
    },
    onSuccess: () => toast({ title: "Signed out", ...(scope === "global" && EVERYWHERE) }),
    onError: (error) => toast({ title: "Sign out failed", description: messageOf(error), destructive: true }),
    // The client forgets the session even when the server could not be told; then so does everything else.
    onSettled: async (_, error) => {
      if (mayBeSignedIn()) return;
      await clearBrowserData();
      // The front page is a document of its own, which says by itself what the toast would have said. It would say it, too,
      // when it is not so, and without a network it is not there.
      const isOutside = import.meta.env.PROD && goTo === paths.home;
      if (isOutside && !error && !isUnreachable()) return leaveForFrontPage();
      // The guarded page goes first, and at once: seeing nobody signed in, it would send them to sign-in.
      await navigate(error || isOutside ? paths.signIn : goTo, { flushSync: true });
      queries.removeQueries();
    },
  });
}

/** Nobody can be told; the device forgets all the same, and does not wait for an answer. */
function leaveQuietly(): void {
  localStorage.removeItem(SESSION_KEY);
}

function leaveForFrontPage(): void {
  // The router writes down, on leaving, how far each page was scrolled; nothing is to be left behind.
  window.addEventListener("pagehide", () => void clearBrowserData(), { once: true });
  window.location.assign(paths.signedOut);
}

export function useSignOutElsewhere() {
  return useMutation({
    mutationFn: async () => {
      const { error } = await (await authClient()).signOut({ scope: "others" });
      if (error) throw error;
    },
    onSuccess: () => toast({ title: "Signed out elsewhere", description: "This is now your only session." }),
    onError: (error) => toast({ title: "Sign out failed", description: messageOf(error), destructive: true }),
  });
}

/** Someone who is leaving this tab by its own door need not be told that they left. */
export const isSigningOut = (queries: QueryClient): boolean =>
  queries.isMutating({ mutationKey: SIGN_OUT }) > 0;
