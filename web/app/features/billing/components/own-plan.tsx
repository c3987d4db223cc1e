import { useSubscription } from "../api/subscription";
import { CurrentPlan } from "./current-plan";

/** Of a guest who has subscribed: what it is, and the way to end it. Nothing for everybody else. */
export function OwnPlan() {
  const { data: subscription } = useSubscription();
  return subscription ? <CurrentPlan subscription={subscription} /> : null;
}
