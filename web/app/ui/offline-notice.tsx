import { WifiOff } from "lucide-react";
import { useReach } from "~/lib/use-reach";

/** The one place that says so; it goes by itself when the server is back in reach. */
export function OfflineNotice() {
  const reach = useReach();
  if (reach === "there") return null;
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-amber-soft px-4 py-2 text-sm text-amber-ink"
    >
      <WifiOff className="size-4 shrink-0" aria-hidden />
      {reach === "offline"
        ? "You are offline. What you see may be out of date, and nothing can be saved until you are back."
        : "The server does not answer. What you see may be out of date, and nothing can be saved until it is back."}
    </div>
  );
}
