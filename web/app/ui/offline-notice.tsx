import { WifiOff } from "lucide-react";
import { useConnectionState } from "~/lib/use-connection-state";

/** Says at the top of every page that the server is unreachable. */
export function OfflineNotice() {
  const connection = useConnectionState();
  if (connection === "online") return null;
  return (
    <div
      role="status"
      data-banner
      className="sticky top-0 z-40 flex h-(--banner-height) items-center justify-center gap-2.5 bg-amber-soft px-4 text-sm leading-5 text-amber-text"
    >
      <WifiOff className="size-4 shrink-0" aria-hidden />
      {connection === "offline"
        ? "You are offline. Nothing can be saved or sent until you are back."
        : "The server does not answer. Nothing can be saved or sent until it is back."}
    </div>
  );
}
