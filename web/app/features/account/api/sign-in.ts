import { useMutation, useQueryClient } from "@tanstack/react-query";
import { connect } from "~/lib/supabase";
import type { Credentials } from "../model";
import { accountQuery } from "./account";

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ email, password }: Credentials) => {
      const supabase = await connect();
      const { error } = await supabase.auth.signInWithPassword({ email: email.trim(), password });
      if (error) throw error;
      return queries.fetchQuery({ ...accountQuery, staleTime: 0 });
    },
  });
}
