import { useEffect } from "react";
import { isoDate } from "~/lib/dates";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toastAfterCurrent } from "~/ui/toast-store";
import { trialToast, type Trial } from "../model";
import { useTrial } from "./trial";

/** Says once a day how long the trial still lasts. The server knows whether another tab or device has said it. */
export function useTrialReminder(): void {
  const trial = useTrial();
  useEffect(() => {
    // A reminder that cannot be fetched is not worth an error.
    if (trial?.isActive) void remind(trial).catch(() => undefined);
  }, [trial]);
}

async function remind(trial: Trial): Promise<void> {
  const { rest } = await apiClient();
  const told = await unwrap(rest.rpc("tell_trial", { today: isoDate(new Date()) }));
  if (told) toastAfterCurrent(trialToast(told, trial));
}
