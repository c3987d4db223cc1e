import { useSubscription } from "../api/subscription";
import { CurrentPlan } from "./current-plan";

/** For a guest with a subscription: the plan and a link to end it. Renders nothing otherwise. */
export function GuestPlan() {
  const { data: subscription } = useSubscription();
  return subscription ? <CurrentPlan subscription={subscription} /> : null;
}
