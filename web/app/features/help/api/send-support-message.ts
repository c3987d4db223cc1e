import { useMutation } from "@tanstack/react-query";
import * as z from "~/lib/zod";
import { callFunction } from "~/lib/functions";
import type { SupportMessage } from "../model";

const receiptSchema = z.object({ id: z.string(), answerTo: z.string() });
export type Receipt = z.infer<typeof receiptSchema>;

/** When this resolves, the message is stored and queued for the operator. */
export const useSendSupportMessage = () =>
  useMutation({
    mutationFn: async (message: SupportMessage) =>
      receiptSchema.parse(await callFunction("ask-support", message)),
  });
