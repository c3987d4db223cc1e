import { CloudOff } from "lucide-react";
import { useReach } from "~/lib/use-reach";
import { Button } from "./button";

type Props = { title: string; children: string; onRetry: () => void };

/** Shown when loading failed, with a retry button unless the browser is offline. */
export function Failure({ title, children, onRetry }: Props) {
  const isOffline = useReach() === "offline";
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <CloudOff className="size-9 text-muted" strokeWidth={1.5} aria-hidden />
      <h2 className="mt-4 font-semibold">{isOffline ? "You are offline" : title}</h2>
      <p className="mt-1 max-w-md text-muted">{isOffline ? NO_COPY : children}</p>
      {!isOffline && (
        <Button variant="secondary" className="mt-5" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const NO_COPY = "This device has no copy of what belongs here. It is loaded as soon as you are back.";
