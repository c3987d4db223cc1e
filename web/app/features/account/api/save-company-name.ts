import { useMutation, useQueryClient } from "@tanstack/react-query";
import { updateCompany } from "~/lib/company-row";
import type { Account } from "../model";
import { accountQuery } from "./account";

export async function saveCompanyName(companyId: string, name: string): Promise<void> {
  await updateCompany(companyId, { name: name.trim() });
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
