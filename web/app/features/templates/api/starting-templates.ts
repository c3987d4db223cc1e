import { queryOptions } from "@tanstack/react-query";
import { trackedFetch } from "~/lib/connection";
import { RequestFailed } from "~/lib/request-failed";
import { startingTemplatesSchema, type StartingTemplate } from "../starting-templates";

/** The build writes this file. It changes only with a new version of the app. */
const PATH = "/starting-templates.json";

export const startingTemplatesQuery = queryOptions({
  queryKey: ["starting-templates"],
  queryFn: fetchStartingTemplates,
  staleTime: Infinity,
});

async function fetchStartingTemplates(): Promise<StartingTemplate[]> {
  const response = await trackedFetch(window.location.origin + PATH);
  if (!response.ok)
    throw new RequestFailed(`The server answered with ${response.status}.`, response.status, "");
  return startingTemplatesSchema.parse(await response.json());
}
