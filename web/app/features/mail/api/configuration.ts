import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { writeCache } from "~/lib/browser-cache";
import { callFunction } from "~/lib/functions";
import {
  toCachedConfiguration,
  configurationSchema,
  type ConfigurationInput,
  type Configuration,
} from "../model";

const POLL_INTERVAL_MS = 10_000;
const configurationQuery = queryOptions({
  queryKey: ["email-configuration"],
  queryFn: async () => parseAndCache(await callFunction("email-configuration")),
  // While emails cannot be sent, the email settings poll the server to show when they can be sent again.
  refetchInterval: ({ state }) => (state.data?.failingSince ? POLL_INTERVAL_MS : false),
});

export const useConfiguration = () => useQuery(configurationQuery);

export function useSaveConfiguration() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: ConfigurationInput) =>
      parseAndCache(await callFunction("save-email-configuration", input)),
    onSuccess: (saved) => queries.setQueryData(configurationQuery.queryKey, saved),
  });
}

function parseAndCache(payload: unknown): Configuration {
  const configuration = configurationSchema.parse(payload);
  writeCache("emailServiceConfig", toCachedConfiguration(configuration));
  return configuration;
}
