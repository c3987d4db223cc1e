import { useEffect } from "react";
import { isoDate } from "~/lib/dates";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toastAfterCurrent } from "~/ui/toast-store";
import { trialToast, type Trial } from "../model";
import { useTrial } from "./trial";

/**
 * Shows once a day how many days of the trial remain. The server knows whether another device has already shown the reminder.
 */
export function useTrialReminder(): void {
  const trial = useTrial();
  useEffect(() => {
    // The reminder is not essential, so a failure is ignored.
    if (trial?.isActive) void showReminder(trial).catch(() => undefined);
  }, [trial]);
}

async function showReminder(trial: Trial): Promise<void> {
  const { rest } = await apiClient();
  // The server returns which notice to show, or null if one was already shown today.
  const notice = await unwrap(rest.rpc("tell_trial", { today: isoDate(new Date()) }));
  if (notice) toastAfterCurrent(trialToast(notice, trial));
}
