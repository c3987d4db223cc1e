import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KEEP_OFFLINE } from "~/lib/query-client";
import { readCompany, updateCompany } from "~/lib/company-row";
import { toSettings, toRow, type CompanySettings } from "../model";

const SETTINGS_COLUMNS = [
  "time_zone",
  "link_days",
  "reminders",
  "reminder_first_days",
  "reminder_every_days",
  "reminder_limit",
  "reminders_by_text",
  "sender_name",
  "reply_to",
] as const;

const settingsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ["company-settings", companyId],
    meta: KEEP_OFFLINE,
    queryFn: async () => toSettings(await readCompany(companyId, SETTINGS_COLUMNS)),
  });

export const useCompanySettings = (companyId: string) => useQuery(settingsQuery(companyId));

export function useSaveCompanySettings(companyId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (settings: CompanySettings) => updateCompany(companyId, toRow(settings)),
    onSuccess: (_, settings) => queries.setQueryData(settingsQuery(companyId).queryKey, settings),
  });
}
