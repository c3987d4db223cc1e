import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod";
import { callFunction } from "./functions";

const answer = z.object({ offered: z.boolean() });

/** Whether the operator has set up an SMS gateway; that changes only when the server starts anew. */
export const textingQuery = queryOptions({
  queryKey: ["texting"],
  queryFn: async () => answer.parse(await callFunction("text-messages")).offered,
  staleTime: Infinity,
  // The next dialog asks again; who blocks functions is told of it once.
  retry: false,
});

/** Nothing is offered before the server has said that it can be done. */
export const useIsTextingOffered = (): boolean => useQuery(textingQuery).data ?? false;
