import { CloudOff } from "lucide-react";
import { useConnectionState } from "~/lib/use-connection-state";
import { Button } from "./button";

type Props = { title: string; children: string; onRetry: () => void };

/** Says that loading failed. There is a retry button, unless the browser is offline. */
export function Failure({ title, children, onRetry }: Props) {
  const isOffline = useConnectionState() === "offline";
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <CloudOff className="size-9 text-muted" strokeWidth={1.5} aria-hidden />
      <h2 className="mt-4 font-semibold">{isOffline ? "You are offline" : title}</h2>
      <p className="mt-1 max-w-md text-muted">{isOffline ? NO_OFFLINE_COPY : children}</p>
      {!isOffline && (
        <Button variant="secondary" className="mt-5" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const NO_OFFLINE_COPY = "This device has no copy of what belongs here. It is loaded as soon as you are back.";
