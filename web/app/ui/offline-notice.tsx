import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

export function OfflineNotice() {
  const online = useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
  if (online) return null;
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-amber-soft px-4 py-2 text-sm text-amber-ink"
    >
      <WifiOff className="size-4 shrink-0" aria-hidden />
      You are offline. What you see may be out of date, and nothing can be saved until you are back.
    </div>
  );
}

function watch(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
