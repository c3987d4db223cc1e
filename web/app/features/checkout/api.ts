import { useEffect, useState } from "react";
import * as z from "zod";
import { callFunction, FunctionFailed } from "~/lib/functions";
import { externalPage } from "~/lib/external-page";
import { toast } from "~/ui/toast-store";
import type { Order } from "./model";

export const NOT_REDIRECTED = "There was a problem redirecting to the payment page. Please try again.";

const answer = z.object({ url: z.string().min(1) });
const NOT_PAYABLE = "This amount cannot be paid here.";

/** What asking again would not change is told as it is. */
function toastFor(error: unknown): string {
  if (!(error instanceof FunctionFailed)) return NOT_REDIRECTED;
  if (error.code === "parameters_invalid") return NOT_PAYABLE;
  return ["plan_already_yours", "too_many_checkouts"].includes(error.code) ? error.message : NOT_REDIRECTED;
}

/** Asks where to pay this order, and goes there. */
export function useCheckout() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Whoever comes back with the browser's button finds the page as it was left, but nobody is waiting any more.
  useEffect(() => {
    const wake = () => setBusy(false);
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, []);

  const proceed = async ({ cents, description }: Order) => {
    setBusy(true);
    setProblem(null);
    try {
      externalPage.open(
        answer.parse(await callFunction("create-checkout", { amount: cents, description })).url,
      );
    } catch (error) {
      const words = toastFor(error);
      setBusy(false);
      setProblem(words);
      toast({ title: "Error", description: words, destructive: true });
    }
  };
  return { proceed, isBusy, problem };
}
