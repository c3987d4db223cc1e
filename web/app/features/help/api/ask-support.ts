import { useMutation } from "@tanstack/react-query";
import * as z from "zod";
import { callFunction } from "~/lib/functions";
import type { SupportMessage } from "../model";

const receipt = z.object({ id: z.string(), answerTo: z.string() });
export type Receipt = z.infer<typeof receipt>;

/** Stored and on its way to the operator once this answers. */
export const useAskSupport = () =>
  useMutation({
    mutationFn: async (message: SupportMessage) => receipt.parse(await callFunction("ask-support", message)),
  });
