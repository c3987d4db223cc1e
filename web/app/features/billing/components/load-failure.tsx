import type { UseQueryResult } from "@tanstack/react-query";
import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";

type Query = Pick<UseQueryResult, "data" | "isError" | "fetchStatus" | "refetch">;

/** Tells whether there is nothing to show because the server did not answer or the browser is offline. */
export const isNotLoaded = ({ data, isError, fetchStatus }: Query) =>
  data === undefined && (isError || fetchStatus === "paused");

type Props = {
  query: Query;
  /** The first words of the sentence that is shown offline, for example "Your cards". */
  subject: string;
  title: string;
};

export function LoadFailure({ query, subject, title }: Props) {
  const isOffline = !query.isError;
  return (
    <Card>
      <Failure title={isOffline ? "You are offline" : title} onRetry={() => void query.refetch()}>
        {isOffline
          ? `${subject} will be shown as soon as you are back.`
          : "The server did not answer as it should. Nothing was changed or charged."}
      </Failure>
    </Card>
  );
}
