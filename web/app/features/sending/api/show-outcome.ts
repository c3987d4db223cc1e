import { toast, toastAfterCurrent } from "~/ui/toast-store";
import { outcomeToast, type Outcome } from "../model";

/** A blocked request already shows its own toast, so the outcome waits until that toast is gone. */
export function showOutcome(outcome: Outcome, asPdf: boolean): void {
  const isBlocked = outcome.result === "failed" && outcome.isBlocked;
  (isBlocked ? toastAfterCurrent : toast)(outcomeToast(outcome, asPdf));
}
