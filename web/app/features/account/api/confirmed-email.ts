import { errorMessage } from "~/lib/error-message";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { storedSession } from "~/lib/stored-session";
import { authClient } from "~/lib/auth";
import { toast } from "~/ui/toast-store";
import { homePathOf, type Account } from "../model";

/**
 * Tells whether the user's email address is confirmed. The confirmation link may be opened in another tab, so
 * until the address is confirmed, the query is repeated when this tab gets the focus.
 */
export const confirmedEmailQuery = queryOptions({
  queryKey: ["confirmed-email"],
  queryFn: fetchIsConfirmed,
  refetchOnWindowFocus: (query) => query.state.data === false,
});

export const useConfirmedEmail = () => useQuery(confirmedEmailQuery);

async function fetchIsConfirmed(): Promise<boolean> {
  if (storedSession()?.user.email_confirmed_at) return true;
  const { data, error } = await (await authClient()).getUser();
  if (error) throw error;
  return Boolean(data.user.email_confirmed_at);
}

export function useResendConfirmation({ email, role }: Account) {
  return useMutation({
    mutationFn: async () => {
      const options = { emailRedirectTo: window.location.origin + homePathOf(role) };
      const { error } = await (await authClient()).resend({ type: "signup", email, options });
      if (error) throw error;
    },
    onSuccess: () => toast({ title: "Mail sent", description: `Open the link we sent to ${email}.` }),
    onError: (error) =>
      toast({ title: "The mail was not sent", description: errorMessage(error), destructive: true }),
  });
}
