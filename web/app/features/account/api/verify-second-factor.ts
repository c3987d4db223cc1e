import { requestAuth } from "~/lib/api";
import { authClient } from "~/lib/auth";

/** Verifies the code that the authenticator app shows now. */
export async function verifyCode(code: string): Promise<void> {
  const { mfa } = await authClient();
  const { data, error } = await mfa.listFactors();
  if (error) throw error;
  const [app] = data.totp;
  if (!app) throw new Error("No authenticator app belongs to this account. Use a recovery code.");
  const verification = await mfa.challengeAndVerify({ factorId: app.id, code: digitsOnly(code) });
  if (verification.error) throw verification.error;
}

/** Each recovery code works only once. */
export async function verifyRecoveryCode(code: string): Promise<void> {
  const auth = await authClient();
  const session = await requestAuth<{ access_token: string; refresh_token: string }>(
    "/factors/recovery_codes/verify",
    { code: code.trim() },
  );
  const { error } = await auth.setSession(session);
  if (error) throw error;
}

/** Removes spaces and other separators, because many apps show the code in groups of digits. */
export const digitsOnly = (code: string): string => code.replaceAll(/\D/g, "");
