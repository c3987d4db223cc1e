import { authClient } from "~/lib/auth";

export type NewPassword = {
  password: string;
  /** What it was. Not known to someone who comes by a mailed link or has only used Google so far. */
  current?: string;
  /** From the mail, where the server asks for one. */
  nonce?: string;
};

/** Also ends every other session of this person. */
export async function changePassword({ password, current, nonce }: NewPassword): Promise<void> {
  const account = await authClient();
  const change = {
    password,
    ...(current && { current_password: current }),
    ...(nonce && { nonce: nonce.trim() }),
  };
  const { error } = await account.updateUser(change);
  if (error) throw error;
}

/** Mails a code which `changePassword` accepts as proof. */
export async function mailNonce(): Promise<void> {
  const { error } = await (await authClient()).reauthenticate();
  if (error) throw error;
}
