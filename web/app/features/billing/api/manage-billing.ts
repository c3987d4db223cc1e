import { useMutation } from "@tanstack/react-query";
import { callFunction } from "~/lib/functions";
import { externalPage } from "~/lib/external-page";
import { toast } from "~/ui/toast-store";
import { parsePageUrl } from "../model";

/** Opens the provider's page, where the card can be changed and the subscription ended. */
export function useManageBilling() {
  return useMutation({
    mutationFn: async () => parsePageUrl(await callFunction("manage-billing")),
    onSuccess: (url) => externalPage.open(url),
    onError: () =>
      toast({
        title: "Error",
        description: "The payment provider could not be reached. Nothing was changed.",
        destructive: true,
      }),
  });
}
