import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { errorMessage } from "~/lib/error-message";
import { unwrap } from "~/lib/request";
import { toast } from "~/ui/toast-store";

/**
 * Reads the addresses that get no more emails because an email to them bounced. They are read again when the
 * number of failed emails changes.
 */
export const useBouncedAddresses = (failedEmailCount: number) =>
  useQuery({
    queryKey: ["emails", "bounced-addresses", failedEmailCount],
    queryFn: async () => {
      const { rest } = await apiClient();
      const rows = await unwrap(rest.from("suppressed_addresses").select("address").eq("reason", "bounce"));
      return rows.map(({ address }) => address);
    },
    enabled: failedEmailCount > 0,
  });

export function useAllowAddress() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (address: string) => {
      const { rest } = await apiClient();
      await unwrap(rest.rpc("allow_address_again", { address }));
    },
    onSuccess: (_, address) =>
      toast({ title: "Address allowed again", description: `You can send emails to ${address} again.` }),
    onError: (error) =>
      toast({ title: "Address not allowed", description: errorMessage(error), destructive: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["emails", "bounced-addresses"] }),
  });
}
