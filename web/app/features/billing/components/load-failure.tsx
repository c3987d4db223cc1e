import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";

type Props = {
  /** This names what could not be loaded. */
  subject: string;
  title: string;
  isOffline: boolean;
  onRetry: () => void;
};

export function LoadFailure({ subject, title, isOffline, onRetry }: Props) {
  return (
    <Card>
      <Failure title={isOffline ? "You are offline" : title} onRetry={onRetry}>
        {isOffline
          ? `${subject} will be shown as soon as you are back.`
          : "The server did not answer as it should. Nothing was changed or charged."}
      </Failure>
    </Card>
  );
}
