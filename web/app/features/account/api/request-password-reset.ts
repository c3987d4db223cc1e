import { authClient } from "~/lib/auth";
import { paths } from "~/paths";

/** Requests the recovery email. The response does not reveal whether the address has an account. */
export async function requestPasswordReset(email: string): Promise<void> {
  const redirectTo = window.location.origin + paths.forgotPassword;
  const { error } = await (await authClient()).resetPasswordForEmail(email.trim(), { redirectTo });
  if (error) throw error;
}
