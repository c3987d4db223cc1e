import { useEffect, useState } from "react";
import * as z from "~/lib/zod";
import { callFunction, FunctionFailed } from "~/lib/functions";
import { externalPage } from "~/lib/external-page";
import { toast } from "~/ui/toast-store";
import type { Order } from "./model";

export const NOT_REDIRECTED = "There was a problem redirecting to the payment page. Please try again.";

const responseSchema = z.object({ url: z.string().min(1) });
const NOT_PAYABLE = "This amount cannot be paid here.";

/** Errors that an immediate retry would not fix have a message of their own. */
function messageFor(error: unknown): string {
  if (!(error instanceof FunctionFailed)) return NOT_REDIRECTED;
  if (error.code === "parameters_invalid") return NOT_PAYABLE;
  return ["plan_already_yours", "too_many_checkouts"].includes(error.code) ? error.message : NOT_REDIRECTED;
}

/** Creates a checkout for the order and opens the payment provider's page. */
export function useCheckout() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // After the Back button the browser shows the page as it was left, so the busy state has to be reset.
  useEffect(() => {
    const reset = () => setBusy(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  const proceed = async ({ cents, description }: Order) => {
    setBusy(true);
    setProblem(null);
    try {
      externalPage.open(
        responseSchema.parse(await callFunction("create-checkout", { amount: cents, description })).url,
      );
    } catch (error) {
      const message = messageFor(error);
      setBusy(false);
      setProblem(message);
      toast({ title: "Error", description: message, destructive: true });
    }
  };
  return { proceed, isBusy, problem };
}
