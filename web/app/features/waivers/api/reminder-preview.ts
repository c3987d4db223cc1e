import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { toReminderPlan } from "../reminder-plan";

export const FIRST_ROWS = 100;
/** The server returns at most this many rows of a group. */
export const MAX_ROWS = 1_000;

/** The plan is fetched whenever the dialog opens, because a guest may have signed or been reminded since. */
export const reminderPlanQuery = (rowsPerGroup: number) =>
  queryOptions({
    queryKey: ["waivers", "reminder-plan", rowsPerGroup],
    queryFn: async ({ signal }) => {
      const supabase = await apiClient();
      return toReminderPlan(
        await unwrap(supabase.rest.rpc("reminder_preview", { up_to: rowsPerGroup }).abortSignal(signal)),
      );
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const useReminderPlan = (rowsPerGroup: number) => useQuery(reminderPlanQuery(rowsPerGroup));
