import { cx } from "class-variance-authority";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { useManageBilling } from "../api/manage-billing";
import { renewalSentence, PLAN_TITLES, type Subscription } from "../model";

type Props = { subscription: Subscription | null; children?: ReactNode };

/** Shows the current plan, its next renewal, and a button to manage it. */
export function CurrentPlan({ subscription, children }: Props) {
  const manage = useManageBilling();
  const isPastDue = subscription?.status === "past_due";
  return (
    <Card className="flex flex-col gap-5 p-5 sm:flex-row sm:items-start sm:p-6" aria-label="Your plan">
      <div className="min-w-0 grow">
        <p className="font-semibold">
          {subscription ? `You are on the ${PLAN_TITLES[subscription.plan]} plan` : "You have no plan yet"}
        </p>
        <p className={cx("mt-0.5 flex gap-2", isPastDue ? "text-red-text" : "text-muted")}>
          {isPastDue && <CircleAlert className="mt-1 size-4 shrink-0" aria-hidden />}
          {subscription
            ? renewalSentence(subscription)
            : "Choose one below. Until then the Basic limit applies."}
        </p>
        {children}
        {subscription?.provider === "sandbox" && (
          <p className="mt-3 text-sm text-muted">
            Payments on this server are a sandbox: nothing is charged.
          </p>
        )}
      </div>
      {subscription && (
        <Button variant="secondary" busy={manage.isPending} onClick={() => manage.mutate()}>
          Manage subscription
        </Button>
      )}
    </Card>
  );
}
