import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RequestBlocked } from "~/lib/blocked";
import { callFunction, FunctionFailed } from "~/lib/functions";
import { toast } from "~/ui/toast-store";
import { errorTitle, testOutcome, testToast, type Provider } from "../model";

/** Through what is saved, to whoever asks; what is said about it is what the server said. */
export function useSendTest(provider: Provider, to: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => testOutcome(await callFunction("send-test-email")),
    onSuccess: (outcome) => toast(testToast(outcome, to)),
    onError: (error) => {
      // That was told already, and more to the point.
      if (error instanceof RequestBlocked) return;
      const named = error instanceof FunctionFailed ? error.parameters.provider : null;
      toast({ title: errorTitle(named ?? provider), description: error.message, destructive: true });
    },
    onSettled: () =>
      Promise.all(
        ["emails", "email-configuration"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  });
}
