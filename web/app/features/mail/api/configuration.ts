import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { writeCache } from "~/lib/browser-cache";
import { callFunction } from "~/lib/functions";
import { cachedConfiguration, configuration, type Choice, type Configuration } from "../model";

const configurationQuery = queryOptions({
  queryKey: ["email-configuration"],
  queryFn: async () => read(await callFunction("email-configuration")),
  // Open, it shows that mail goes out again without anybody asking.
  refetchInterval: ({ state }) => (state.data?.failingSince ? 10_000 : false),
});

export const useConfiguration = () => useQuery(configurationQuery);

export function useSaveConfiguration() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (choice: Choice) => read(await callFunction("save-email-configuration", choice)),
    onSuccess: (saved) => queries.setQueryData(configurationQuery.queryKey, saved),
  });
}

function read(told: unknown): Configuration {
  const known = configuration.parse(told);
  writeCache("emailServiceConfig", cachedConfiguration(known));
  return known;
}
