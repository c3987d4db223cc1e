import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "~/ui/failure";

/** `children` are shown while the query is loading. */
type Props = {
  query: Pick<UseQueryResult, "data" | "isError" | "refetch">;
  title: string;
  children: ReactNode;
};

/** Shows that a list is being loaded or could not be loaded. Once the list is there, it shows nothing. */
export function NotLoaded({ query, title, children }: Props) {
  if (query.data) return null;
  if (!query.isError) return children;
  return (
    <Failure title={title} onRetry={() => void query.refetch()}>
      The server did not answer. Deliveries go on as before.
    </Failure>
  );
}
