import { mustProveMore, takeNews, type Outcome } from "~/lib/supabase";
import { paths } from "~/paths";
import { toast, type ToastMessage } from "~/ui/toast-store";
import { readAccount } from "./api/account";
import { homeOf } from "./model";

/** Says what became of a mailed link or a sign-in elsewhere; answers where to go, when this is no page to stay on. */
export async function announceArrival(at: string): Promise<string | null> {
  // That page tells it itself.
  if (at === paths.forgotPassword) return null;
  const outcome = await takeNews();
  if (!outcome) return null;
  const words = wordsFor(outcome);
  // Whoever has still to show a second proof is welcomed after that.
  if (words && (words.destructive || !mustProveMore())) toast(words);
  if (outcome.failure || outcome.brought.kind !== "session" || at !== paths.home) return null;
  const account = await readAccount();
  return account ? homeOf(account.role) : paths.signIn;
}

export function wordsFor({ brought, failure }: Outcome): ToastMessage | null {
  if (brought.kind === "told") return { title: "Thank you", description: brought.message };
  if (brought.kind === "code") {
    if (failure) return { title: GOOGLE_FAILED, description: failure.message, destructive: true };
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  }
  if (brought.kind === "session") {
    return failure
      ? { title: LINK_FAILED, description: failure.message, destructive: true }
      : confirmed(brought.from);
  }
  const title = brought.code === "otp_expired" ? LINK_FAILED : GOOGLE_FAILED;
  return { title, description: brought.message, destructive: true };
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
