import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEPT } from "~/lib/query-client";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import { draftOf, rowOf, type SettingsDraft } from "../model";

const settingsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["company-settings", companyId],
    meta: KEPT,
    queryFn: async () => {
      const { rest } = await connect();
      const row = await take(
        rest
          .from("companies")
          .select(
            "time_zone, link_days, reminders, reminder_first_days, reminder_every_days, reminder_limit, reminders_by_text, sender_name, reply_to",
          )
          .eq("id", companyId)
          .single(),
      );
      return draftOf(row);
    },
  });

export const useCompanySettings = (companyId: string) => useQuery(settingsQuery(companyId));

export function useSaveCompanySettings(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: SettingsDraft) => {
      const { rest } = await connect();
      await take(rest.from("companies").update(rowOf(draft)).eq("id", companyId));
    },
    onSuccess: (_, draft) => queries.setQueryData(settingsQuery(companyId).queryKey, draft),
  });
}
