import { requestAuth } from "~/lib/api";
import { authClient } from "~/lib/auth";

/** The code an authenticator app shows right now. */
export async function proveByCode(code: string): Promise<void> {
  const { mfa } = await authClient();
  const { data, error } = await mfa.listFactors();
  if (error) throw error;
  const [app] = data.totp;
  if (!app) throw new Error("No authenticator app belongs to this account. Use a recovery code.");
  const proof = await mfa.challengeAndVerify({ factorId: app.id, code: digits(code) });
  if (proof.error) throw proof.error;
}

/** Each recovery code works once. */
export async function proveByRecoveryCode(code: string): Promise<void> {
  const account = await authClient();
  const session = await requestAuth<{ access_token: string; refresh_token: string }>(
    "/factors/recovery_codes/verify",
    { code: code.trim() },
  );
  const { error } = await account.setSession(session);
  if (error) throw error;
}

/** Apps show a code in groups; people type it so. */
export const digits = (code: string): string => code.replaceAll(/\D/g, "");
