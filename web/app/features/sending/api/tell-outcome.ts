import { toast, toastAfterCurrent } from "~/ui/toast-store";
import { outcomeToast, type Outcome } from "../model";

/** What blocked the request is being told already, and may be read to its end first. */
export function tellOutcome(outcome: Outcome, asPdf: boolean): void {
  const isBlocked = outcome.result === "failed" && outcome.isBlocked;
  (isBlocked ? toastAfterCurrent : toast)(outcomeToast(outcome, asPdf));
}
