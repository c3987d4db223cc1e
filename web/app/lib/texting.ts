import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "~/lib/zod";
import { callFunction } from "./functions";

const responseSchema = z.object({ offered: z.boolean() });

/** Reads whether the server has an SMS gateway. That can only change when the server restarts. */
export const textingQuery = queryOptions({
  queryKey: ["texting"],
  queryFn: async () => responseSchema.parse(await callFunction("text-messages")).offered,
  staleTime: Infinity,
  // A retry would repeat the warning about blocked requests. The next dialog sends the query again anyway.
  retry: false,
});

/** Returns false until the server has confirmed that it can send text messages. */
export const useIsTextingOffered = (): boolean => useQuery(textingQuery).data ?? false;
