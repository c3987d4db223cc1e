import { CloudOff } from "lucide-react";
import { useReach } from "~/lib/use-reach";
import { Button } from "./button";

type Props = { title: string; children: string; onRetry: () => void };

/** Something could not be loaded: what happened, and the way to try again; without a network there is none. */
export function Failure({ title, children, onRetry }: Props) {
  const isOffline = useReach() === "offline";
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <CloudOff className="size-9 text-muted" strokeWidth={1.5} aria-hidden />
      <h2 className="mt-4 font-semibold">{isOffline ? "You are offline" : title}</h2>
      <p className="mt-1 max-w-md text-muted">{isOffline ? NOT_HERE : children}</p>
      {!isOffline && (
        <Button variant="secondary" className="mt-5" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const NOT_HERE = "This device has no copy of what belongs here. It is loaded as soon as you are back.";
