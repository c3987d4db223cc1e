import { authClient } from "~/lib/auth";
import { homeOf, type Account, type Credentials } from "../model";
import { readAccount } from "./account";

/** The answer is a session, so whoever signs up is signed in at once. */
export async function signUp({ name, role, email, password }: Credentials): Promise<Account | null> {
  const data = { name: name.trim(), role };
  // Where the link in the mail leads that asks whether the address is theirs.
  const emailRedirectTo = window.location.origin + homeOf(role);
  const options = { data, emailRedirectTo };
  const { error } = await (await authClient()).signUp({ email: email.trim(), password, options });
  if (error) throw error;
  return readAccount();
}
