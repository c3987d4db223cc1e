import { useQuery } from "@tanstack/react-query";
import * as z from "~/lib/zod";
import { callFunction } from "~/lib/functions";

const allowanceSchema = z.object({
  /** This is null if the server delivers no emails. Then there is no limit. */
  perDay: z.number().nullable(),
  sentToday: z.number(),
  needsConfirmedAddress: z.boolean(),
});
export type MailAllowance = z.infer<typeof allowanceSchema>;

/** Reads how many emails the company can still send today. Returns undefined until the server has responded. */
export const useMailAllowance = (): MailAllowance | undefined =>
  useQuery({
    queryKey: ["emails", "allowance"],
    queryFn: async () => allowanceSchema.parse(await callFunction("mail-allowance")),
    retry: false,
  }).data;
