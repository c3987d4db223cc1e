import { takeRedirectResult, type RedirectResult } from "~/lib/auth";
import { startRecovery } from "~/lib/browser-cache";
import { isSecondFactorPending } from "~/lib/session";
import { storedSession } from "~/lib/stored-session";
import { paths } from "~/paths";
import { toast, type ToastMessage } from "~/ui/toast-store";
import { readAccount } from "./api/account";
import { homeOf } from "./model";

/**
 * Shows the outcome of an emailed link or an OAuth sign-in as a toast. Returns the path to continue at, or null to stay
 * on this page.
 */
export async function announceRedirectResult(path: string): Promise<string | null> {
  // The password recovery page shows the outcome itself.
  if (path === paths.forgotPassword) return null;
  const result = await takeRedirectResult();
  if (!result) return null;
  const message = toastFor(result);
  // A user who still has to enter a second factor is welcomed after that step.
  if (message && (message.destructive || !isSecondFactorPending())) toast(message);
  if (result.error || result.redirect.kind !== "session") return null;
  if (needsPassword(result.redirect.type)) {
    startRecovery();
    return paths.forgotPassword;
  }
  if (path !== paths.home) return null;
  const account = await readAccount();
  return account ? homeOf(account.role) : paths.signIn;
}

export function toastFor({ redirect, error }: RedirectResult): ToastMessage | null {
  if (redirect.kind === "message") return { title: "Thank you", description: redirect.message };
  if (redirect.kind === "code") {
    if (error) return { title: GOOGLE_FAILED, description: error.message, destructive: true };
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  }
  if (redirect.kind === "session") {
    return error
      ? { title: LINK_FAILED, description: error.message, destructive: true }
      : confirmationToast(redirect.type);
  }
  const title = redirect.code === "otp_expired" ? LINK_FAILED : GOOGLE_FAILED;
  return { title, description: redirect.message, destructive: true };
}

/** A link that proved the address of an account for the first time has removed the password of the person who made the account. */
const needsPassword = (linkType: string): boolean =>
  linkType === "recovery" || storedSession()?.user.app_metadata?.password_removed === true;

const GOOGLE_FAILED = "Google sign in failed";
const LINK_FAILED = "This link did not work";

function confirmationToast(linkType: string): ToastMessage | null {
  if (linkType === "signup")
    return { title: "Email confirmed", description: "Thank you, this address is yours." };
  if (linkType === "email_change")
    return { title: "Email changed", description: "Your new address is confirmed." };
  return null;
}
