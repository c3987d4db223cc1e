import { useState, type ReactNode } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { FieldError } from "~/ui/field";
import { Skeleton } from "~/ui/skeleton";
import { FIRST_ROWS, MAX_ROWS, useReminderPlan } from "../api/reminder-preview";
import { useSendReminders } from "../api/send-reminders";
import { isIncomplete, sessionsToRemind, type ReminderPlan } from "../reminder-plan";
import { ReminderGroups } from "./reminder-groups";

/** Asks before reminders are sent, and shows who gets one, when each was last written to, and who is left out and why. */
export default function SendRemindersDialog({ onClose }: { onClose: () => void }) {
  const [rowsPerGroup, setRowsPerGroup] = useState(FIRST_ROWS);
  const { data: plan, isError, isPlaceholderData, refetch } = useReminderPlan(rowsPerGroup);
  const reminders = useSendReminders();
  const count = plan?.reminded.count ?? 0;
  return (
    <Dialog open onClose={onClose} title="Send Reminders" description={plan && summary(plan)}>
      {plan ? <Plan plan={plan} /> : <NotLoaded isError={isError} onRetry={() => void refetch()} />}
      {plan && isIncomplete(plan) && rowsPerGroup < MAX_ROWS && (
        <Button
          variant="ghost"
          size="sm"
          className="mt-4 self-center"
          busy={isPlaceholderData}
          onClick={() => setRowsPerGroup(MAX_ROWS)}
        >
          Show more
        </Button>
      )}
      {reminders.error && <FieldError>{reminders.error.message}</FieldError>}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          {count > 0 ? "Cancel" : "Close"}
        </Button>
        {plan && count > 0 && (
          <Button
            busy={reminders.isPending}
            onClick={() => reminders.mutate(sessionsToRemind(plan.reminded), { onSuccess: onClose })}
          >
            {count === 1 ? "Send 1 reminder" : `Send ${count.toLocaleString("en")} reminders`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function summary({ reminded, leftOut }: ReminderPlan): string | undefined {
  if (reminded.count === 0) return leftOut.length > 0 ? "No one can be reminded now." : undefined;
  return reminded.count === 1
    ? "1 guest gets an email with the link to sign."
    : `${reminded.count.toLocaleString("en")} emails with the link to sign are sent.`;
}

function Plan({ plan }: { plan: ReminderPlan }): ReactNode {
  if (plan.reminded.count > 0 || plan.leftOut.length > 0) return <ReminderGroups plan={plan} />;
  return <EmptyState title="No one to remind">No waiver is waiting for a signature.</EmptyState>;
}

function NotLoaded({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  if (isError) {
    return (
      <Failure title="The guests could not be loaded" onRetry={onRetry}>
        The server did not answer. No reminder was sent.
      </Failure>
    );
  }
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Looking for who has not signed yet.</span>
      {["w-3/4", "w-2/3", "w-4/5"].map((width) => (
        <Skeleton key={width} className={`h-11 ${width}`} />
      ))}
    </div>
  );
}
