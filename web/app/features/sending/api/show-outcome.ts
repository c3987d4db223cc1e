import { toast, toastAfterCurrent } from "~/ui/toast-store";
import { outcomeToast, type Outcome } from "../model";

/** A blocked request shows its own toast first, so the outcome is shown after that toast is gone. */
export function showOutcome(outcome: Outcome, asPdf: boolean): void {
  const isBlocked = outcome.result === "failed" && outcome.isBlocked;
  const message = outcomeToast(outcome, asPdf);
  if (isBlocked) toastAfterCurrent(message);
  else toast(message);
}
