import { auth } from "~/lib/supabase";
import type { Account, Credentials } from "../model";
import { readAccount } from "./account";

/** The answer is a session, so whoever signs up is signed in at once. */
export async function signUp({ name, role, email, password }: Credentials): Promise<Account | null> {
  const data = { name: name.trim(), role };
  const { error } = await (await auth()).signUp({ email: email.trim(), password, options: { data } });
  if (error) throw error;
  return readAccount();
}
