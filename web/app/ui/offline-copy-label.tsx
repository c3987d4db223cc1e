import { HardDrive } from "lucide-react";
import { useEffect, useState } from "react";
import { relativeTime } from "~/lib/dates";
import { useConnectionState } from "~/lib/use-connection-state";

const REFRESH_INTERVAL_MS = 30_000;

/**
 * While the server is unreachable, says that the data comes from this device and how old it is. `at` is when the data
 * was fetched, in milliseconds, or 0 if there is no data.
 */
export function OfflineCopyLabel({ at }: { at: number }) {
  const connection = useConnectionState();
  return connection !== "online" && at > 0 && <Label at={at} />;
}

function Label({ at }: { at: number }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="flex items-center gap-1.5 text-sm text-amber-text">
      <HardDrive className="size-4 shrink-0" aria-hidden />
      Copy on this device, saved {relativeTime(new Date(at), now)}
    </p>
  );
}
