import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "~/lib/zod";
import { callFunction } from "./functions";

const responseSchema = z.object({ offered: z.boolean() });

/** Reads whether the server has an SMS gateway. That can only change when the server restarts. */
export const textingQuery = queryOptions({
  queryKey: ["texting"],
  queryFn: async () => responseSchema.parse(await callFunction("text-messages")).offered,
  staleTime: Infinity,
  // If the browser blocks the request, the user sees a warning, and a retry would show it again. A query that failed is
  // sent again when the next component uses it.
  retry: false,
});

/** Returns false until the server has confirmed that it can send text messages. */
export const useIsTextingOffered = (): boolean => useQuery(textingQuery).data ?? false;
