import { Mark } from "./logo";

export function LoadingScreen() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <div className="flex flex-col items-center gap-4 text-muted">
        <Mark className="size-12 animate-pulse text-forest" />
        Loading…
      </div>
    </div>
  );
}
