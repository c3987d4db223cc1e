import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";

type Props = {
  /** The first words of the sentence that is shown offline, for example "Your cards". */
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
