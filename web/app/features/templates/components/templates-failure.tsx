import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";

export function TemplatesFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Card>
      <Failure title="Your templates could not be loaded" onRetry={onRetry}>
        The server did not answer. Nothing was lost.
      </Failure>
    </Card>
  );
}
