import { useMutation, useQueryClient } from "@tanstack/react-query";
import { connect } from "~/lib/supabase";
import type { Credentials } from "../model";
import { accountQuery } from "./account";

/** The answer is a session, so whoever signs up is signed in at once. */
export function useSignUp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, role, email, password }: Credentials) => {
      const supabase = await connect();
      const data = { name: name.trim(), role };
      const { error } = await supabase.auth.signUp({ email: email.trim(), password, options: { data } });
      if (error) throw error;
      return queries.fetchQuery({ ...accountQuery, staleTime: 0 });
    },
  });
}
