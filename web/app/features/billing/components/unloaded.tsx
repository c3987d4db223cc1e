import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";

type Props = { what: string; isOffline: boolean; onRetry: () => void; children: string };

/** `children`: what is said when the server, and not the way to it, is at fault. */
export function Unloaded({ what, isOffline, onRetry, children }: Props) {
  return (
    <Card>
      <Failure title={isOffline ? "You are offline" : children} onRetry={onRetry}>
        {isOffline
          ? `${what} will be shown as soon as you are back.`
          : "The server did not answer as it should. Nothing was changed or charged."}
      </Failure>
    </Card>
  );
}
