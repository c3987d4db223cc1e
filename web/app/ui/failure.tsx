import { CloudOff } from "lucide-react";
import { Button } from "./button";

type Props = { title: string; children: string; onRetry: () => void };

/** Something could not be loaded: what happened, and the way to try again. */
export function Failure({ title, children, onRetry }: Props) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <CloudOff className="size-9 text-ink-soft" strokeWidth={1.5} aria-hidden />
      <h2 className="mt-4 font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-ink-soft">{children}</p>
      <Button variant="secondary" className="mt-5" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
