import { HardDrive } from "lucide-react";
import { useEffect, useState } from "react";
import { relativeTime } from "~/lib/dates";
import { useReach } from "~/lib/use-reach";

const HALF_A_MINUTE = 30_000;

/** Without a server: what stands here is what this device kept, and how old it is. */
export function OfflineCopyLabel({ at }: { at: number }) {
  const reach = useReach();
  return reach !== "online" && at > 0 && <Mark at={at} />;
}

function Mark({ at }: { at: number }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const clock = setInterval(() => setNow(new Date()), HALF_A_MINUTE);
    return () => clearInterval(clock);
  }, []);
  return (
    <p className="flex items-center gap-1.5 text-sm text-amber-text">
      <HardDrive className="size-4 shrink-0" aria-hidden />
      Copy on this device, saved {relativeTime(new Date(at), now)}
    </p>
  );
}
