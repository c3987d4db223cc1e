import { authClient } from "~/lib/auth";
import { paths } from "~/paths";

/** The answer is the same whether or not anybody has this address. */
export async function askForRecovery(email: string): Promise<void> {
  const redirectTo = window.location.origin + paths.forgotPassword;
  const { error } = await (await authClient()).resetPasswordForEmail(email.trim(), { redirectTo });
  if (error) throw error;
}
