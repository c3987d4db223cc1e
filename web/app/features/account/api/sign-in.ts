import { authClient } from "~/lib/auth";
import type { Account, Credentials } from "../model";
import { readAccount } from "./account";

export async function signIn({ email, password }: Credentials): Promise<Account | null> {
  const { error } = await (await authClient()).signInWithPassword({ email: email.trim(), password });
  if (error) throw error;
  return readAccount();
}
