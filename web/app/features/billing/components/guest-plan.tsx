import { useSubscription } from "../api/subscription";
import { CurrentPlan } from "./current-plan";

/** Shows a guest's plan. Most guests have none, and then nothing is rendered. */
export function GuestPlan() {
  const { data: subscription } = useSubscription();
  return subscription ? <CurrentPlan subscription={subscription} /> : null;
}
