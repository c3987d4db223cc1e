import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { updateCompany } from "~/lib/update-company";
import { toDraft, toRow, type SettingsDraft } from "../model";

const settingsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["company-settings", companyId],
    meta: KEEP_OFFLINE,
    queryFn: async () => {
      const { rest } = await apiClient();
      const row = await unwrap(
        rest
          .from("companies")
          .select(
            "time_zone, link_days, reminders, reminder_first_days, reminder_every_days, reminder_limit, reminders_by_text, sender_name, reply_to",
          )
          .eq("id", companyId)
          .single(),
      );
      return toDraft(row);
    },
  });

export const useCompanySettings = (companyId: string) => useQuery(settingsQuery(companyId));

export function useSaveCompanySettings(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: SettingsDraft) => updateCompany(companyId, toRow(draft)),
    onSuccess: (_, draft) => queries.setQueryData(settingsQuery(companyId).queryKey, draft),
  });
}
