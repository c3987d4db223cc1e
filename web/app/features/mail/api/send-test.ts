import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RequestBlocked } from "~/lib/blocked";
import { callFunction, FunctionFailed } from "~/lib/functions";
import { toast } from "~/ui/toast-store";
import { errorTitle, parseTestOutcome, testToast, type Provider } from "../model";

/** Sends a test email with the saved settings to the signed-in user and shows the outcome. */
export function useSendTest(provider: Provider, to: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => parseTestOutcome(await callFunction("send-test-email")),
    onSuccess: (outcome) => toast(testToast(outcome, to)),
    onError: (error) => {
      // A blocked request has already shown its own, more specific message.
      if (error instanceof RequestBlocked) return;
      const failedProvider = error instanceof FunctionFailed ? error.parameters.provider : null;
      toast({ title: errorTitle(failedProvider ?? provider), description: error.message, destructive: true });
    },
    onSettled: () =>
      Promise.all(
        ["emails", "email-configuration"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  });
}
