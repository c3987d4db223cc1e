import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { toast } from "~/ui/toast-store";
import { useSubscription } from "./api/subscription";
import { PLAN_TITLES } from "./model";

/**
 * After a payment, the URL parameter `paid` contains the paid plan, or `once` for a single payment. Returns true while
 * the server does not know yet that the plan is paid. The payment provider notifies the server, usually before the
 * browser returns.
 */
export function usePaymentConfirmation(): boolean {
  const [query, setQuery] = useSearchParams();
  const paidFor = query.get("paid");
  const isPlan = paidFor === "basic" || paidFor === "professional";
  const { data: subscription } = useSubscription(isPlan);
  const isConfirmed = isPlan && subscription?.plan === paidFor;
  const queries = useQueryClient();
  useEffect(() => {
    if (paidFor === null || (isPlan && !isConfirmed)) return;
    toast(
      isPlan
        ? { title: `You are on the ${PLAN_TITLES[paidFor]} plan`, description: "Thank you for your payment." }
        : { title: "Payment received", description: "Billing History has the invoice." },
    );
    void queries.invalidateQueries({ queryKey: ["billing"] });
    void queries.invalidateQueries({ queryKey: ["trial"] });
    setQuery({}, { replace: true });
  }, [paidFor, isPlan, isConfirmed, queries, setQuery]);
  return isPlan && !isConfirmed;
}
