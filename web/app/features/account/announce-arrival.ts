import { takeRedirectResult, type RedirectResult } from "~/lib/auth";
import { isSecondFactorPending } from "~/lib/session";
import { paths } from "~/paths";
import { toast, type ToastMessage } from "~/ui/toast-store";
import { readAccount } from "./api/account";
import { homeOf } from "./model";

/** Says what became of a mailed link or a sign-in elsewhere; answers where to go, when this is no page to stay on. */
export async function announceArrival(at: string): Promise<string | null> {
  // That page tells it itself.
  if (at === paths.forgotPassword) return null;
  const outcome = await takeRedirectResult();
  if (!outcome) return null;
  const words = wordsFor(outcome);
  // Whoever has still to show a second proof is welcomed after that.
  if (words && (words.destructive || !isSecondFactorPending())) toast(words);
  if (outcome.error || outcome.redirect.kind !== "session" || at !== paths.home) return null;
  const account = await readAccount();
  return account ? homeOf(account.role) : paths.signIn;
}

export function wordsFor({ redirect, error }: RedirectResult): ToastMessage | null {
  if (redirect.kind === "message") return { title: "Thank you", description: redirect.message };
  if (redirect.kind === "code") {
    if (error) return { title: GOOGLE_FAILED, description: error.message, destructive: true };
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  }
  if (redirect.kind === "session") {
    return error
      ? { title: LINK_FAILED, description: error.message, destructive: true }
      : confirmed(redirect.type);
  }
  const title = redirect.code === "otp_expired" ? LINK_FAILED : GOOGLE_FAILED;
  return { title, description: redirect.message, destructive: true };
}

const GOOGLE_FAILED = "Google sign in failed";
const LINK_FAILED = "This link did not work";

function confirmed(from: string): ToastMessage | null {
  if (from === "signup")
    return { title: "Email confirmed", description: "Thank you, this address is yours." };
  if (from === "email_change")
    return { title: "Email changed", description: "Your new address is confirmed." };
  return null;
}
