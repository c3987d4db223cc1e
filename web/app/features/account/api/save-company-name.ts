import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import type { Account } from "../model";
import { accountQuery } from "./account";

export async function saveCompanyName(companyId: string, name: string): Promise<void> {
  const supabase = await apiClient();
  await unwrap(supabase.rest.from("companies").update({ name: name.trim() }).eq("id", companyId));
}

export function useSaveCompanyName(account: Account) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      if (!account.company) throw new Error("This account has no company.");
      await saveCompanyName(account.company.id, name);
    },
    onSuccess: () => queries.invalidateQueries(accountQuery),
  });
}
