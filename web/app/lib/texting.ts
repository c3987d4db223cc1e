import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod";
import { callFunction } from "./functions";

const payload = z.object({ offered: z.boolean() });

/** Whether the deployment has an SMS gateway. That can only change when the server restarts. */
export const textingQuery = queryOptions({
  queryKey: ["texting"],
  queryFn: async () => payload.parse(await callFunction("text-messages")).offered,
  staleTime: Infinity,
  // The next dialog queries again. A retry would repeat the warning about blocked requests.
  retry: false,
});

/** False until the server has confirmed that it can send text messages. */
export const useIsTextingOffered = (): boolean => useQuery(textingQuery).data ?? false;
