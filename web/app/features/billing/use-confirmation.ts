import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { toast } from "~/ui/toast-store";
import { useSubscription } from "./api/subscription";
import { TITLES } from "./model";

/**
 * Back from the provider, the address says what was paid for. True while a plan is not confirmed yet: the provider tells
 * the server by itself, usually before the browser is back.
 */
export function useConfirmation(): boolean {
  const [query, setQuery] = useSearchParams();
  const bought = query.get("paid");
  const isPlan = bought === "basic" || bought === "professional";
  const { data: subscription } = useSubscription(isPlan);
  const isConfirmed = isPlan && subscription?.plan === bought;
  const queries = useQueryClient();
  useEffect(() => {
    if (bought === null || (isPlan && !isConfirmed)) return;
    toast(
      isPlan
        ? { title: `You are on the ${TITLES[bought]} plan`, description: "Thank you for your payment." }
        : { title: "Payment received", description: "Billing History has the invoice." },
    );
    void queries.invalidateQueries({ queryKey: ["billing"] });
    void queries.invalidateQueries({ queryKey: ["trial"] });
    setQuery({}, { replace: true });
  }, [bought, isPlan, isConfirmed, queries, setQuery]);
  return isPlan && !isConfirmed;
}
