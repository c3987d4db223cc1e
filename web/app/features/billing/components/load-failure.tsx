import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";

type Props = { subject: string; isOffline: boolean; onRetry: () => void; children: string };

/** `children` is the title that is shown if the server failed to respond. */
export function LoadFailure({ subject, isOffline, onRetry, children }: Props) {
  return (
    <Card>
      <Failure title={isOffline ? "You are offline" : children} onRetry={onRetry}>
        {isOffline
          ? `${subject} will be shown as soon as you are back.`
          : "The server did not answer as it should. Nothing was changed or charged."}
      </Failure>
    </Card>
  );
}
