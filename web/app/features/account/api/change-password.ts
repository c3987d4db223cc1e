import { authClient } from "~/lib/auth";

export type NewPassword = {
  password: string;
  /** The current password is absent after an emailed link, or if the user has only signed in with Google so far. */
  currentPassword?: string;
  /** The server may require the code from an email. */
  nonce?: string;
};

/** Changes the password and ends every other session of the user. */
export async function changePassword({ password, currentPassword, nonce }: NewPassword): Promise<void> {
  const auth = await authClient();
  const change = {
    password,
    ...(currentPassword && { current_password: currentPassword }),
    ...(nonce && { nonce: nonce.trim() }),
  };
  const { error } = await auth.updateUser(change);
  if (error) throw error;
}

/** Sends the email with the code that `changePassword` accepts as `nonce`. */
export async function requestNonce(): Promise<void> {
  const { error } = await (await authClient()).reauthenticate();
  if (error) throw error;
}
