import { useMutation } from "@tanstack/react-query";
import { callFunction } from "~/lib/functions";
import { externalPage } from "~/lib/external-page";
import { toast } from "~/ui/toast-store";
import { readAddress } from "../model";

/** To the provider's own page, where a card is changed and a subscription ended. */
export function useManageBilling() {
  return useMutation({
    mutationFn: async () => readAddress(await callFunction("manage-billing")),
    onSuccess: (address) => externalPage.open(address),
    onError: () =>
      toast({
        title: "Error",
        description: "The payment provider could not be reached. Nothing was changed.",
        destructive: true,
      }),
  });
}
