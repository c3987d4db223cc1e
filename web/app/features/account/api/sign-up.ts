import { authClient } from "~/lib/auth";
import { homePathOf, type Account, type Credentials } from "../model";
import { readAccount } from "./account";

/** Creates an account. The response contains a session, so the new user is signed in immediately. */
export async function signUp({ name, role, email, password }: Credentials): Promise<Account | null> {
  // The company gets the time zone of this browser. A guest has none.
  const time_zone = role === "company" ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined;
  const data = { name: name.trim(), role, time_zone };
  // The link in the confirmation email leads to this page.
  const emailRedirectTo = window.location.origin + homePathOf(role);
  const options = { data, emailRedirectTo };
  const { error } = await (await authClient()).signUp({ email: email.trim(), password, options });
  if (error) throw error;
  return readAccount();
}
