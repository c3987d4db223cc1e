import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { callFunction } from "~/lib/functions";
import { toast } from "~/ui/toast-store";
import { readMethods } from "../model";

export const FAILED = "Failed to load payment methods";

/** As the provider has them at this moment: they are kept nowhere else. */
export function usePaymentMethods() {
  const methods = useQuery({
    queryKey: ["billing", "payment-methods"],
    queryFn: async () => readMethods(await callFunction("payment-methods")),
  });
  const { isError } = methods;
  useEffect(() => {
    if (isError) toast({ title: "Error", description: FAILED, destructive: true });
  }, [isError]);
  return methods;
}
