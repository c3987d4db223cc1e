import { accountName } from "~/lib/account-choice";
import { takeRedirectResult, type RedirectResult } from "~/lib/auth";
import { startRecovery } from "~/lib/browser-cache";
import { isSecondFactorPending } from "~/lib/session";
import { storedSession } from "~/lib/stored-session";
import { paths } from "~/paths";
import { toast, type ToastMessage } from "~/ui/toast-store";
import { readAccount } from "./api/account";
import { homePathOf } from "./model";

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
  return account ? homePathOf(account.role) : paths.signIn;
}

export function toastFor({ redirect, error }: RedirectResult): ToastMessage | null {
  if (redirect.kind === "half-confirmed") return HALF_CONFIRMED_TOAST;
  if (redirect.kind === "code") {
    if (error) return { title: GOOGLE_FAILED, description: error.message, destructive: true };
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  }
  if (redirect.kind === "session") {
    return error
      ? { title: LINK_FAILED, description: error.message, destructive: true }
      : signedInToast(redirect.type);
  }
  const [title, description] = ERRORS.get(redirect.code) ?? [GOOGLE_FAILED, GOOGLE_TRY_AGAIN];
  return { title, description, destructive: true };
}

/**
 * Tells whether the user has to choose a new password. A link that proves the address of an account for the first time
 * removes the password, because someone else may have created the account.
 */
const needsPassword = (linkType: string): boolean =>
  linkType === "recovery" || storedSession()?.user.app_metadata?.password_removed === true;

const GOOGLE_FAILED = "Google sign in failed";
const LINK_FAILED = "This link did not work";

const HALF_CONFIRMED_TOAST: ToastMessage = {
  title: "Thank you",
  description: "Please also open the link that we sent to the other address. Then the change is complete.",
};

const GOOGLE_TRY_AGAIN = "Google did not sign you in. Please try again, or sign in with your email address.";

/** Maps the code of an error to its title and text. Errors with an unknown code are shown as a failed Google sign-in. */
const ERRORS = new Map<string, [title: string, description: string]>([
  ["otp_expired", [LINK_FAILED, "It has expired or was already used. Please request a new one."]],
  ["over_request_rate_limit", [LINK_FAILED, "There were too many tries. Please wait a few minutes."]],
  [
    "provider_unreachable",
    [GOOGLE_FAILED, "Google cannot be reached at the moment. Please try again later."],
  ],
  [
    "user_banned",
    [GOOGLE_FAILED, "This account is blocked. Please contact us if you think that is a mistake."],
  ],
  [
    "signup_disabled",
    [GOOGLE_FAILED, "There is no account for this address, and new ones cannot be made here."],
  ],
]);

/** Names the account, because anyone can send a link that contains a session of their own account. */
function signedInToast(linkType: string): ToastMessage {
  const description = `You are signed in as ${accountName(storedSession()?.user)}.`;
  if (linkType === "signup") return { title: "Email confirmed", description };
  if (linkType === "email_change") return { title: "Email changed", description };
  return { title: "Signed in", description };
}
