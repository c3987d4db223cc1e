import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { callFunction } from "~/lib/functions";
import { toast } from "~/ui/toast-store";
import { parsePaymentMethods } from "../model";

export const METHODS_NOT_LOADED = "Failed to load payment methods";

/** The payment methods are always fetched from the provider, because they are not stored anywhere else. */
export function usePaymentMethods() {
  const methods = useQuery({
    queryKey: ["billing", "payment-methods"],
    queryFn: async () => parsePaymentMethods(await callFunction("payment-methods")),
  });
  const { isError } = methods;
  useEffect(() => {
    if (isError) toast({ title: "Error", description: METHODS_NOT_LOADED, destructive: true });
  }, [isError]);
  return methods;
}
