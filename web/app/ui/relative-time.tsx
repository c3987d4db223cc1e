import { exactTime, relativeTime } from "~/lib/dates";
import { useNow } from "~/lib/use-now";
import { Tooltip } from "./tooltip";

/**
 * Shows a time such as "3 hours ago", which stays true while the page is open, and the exact time on hover
 * and focus. Shows N/A for null.
 */
export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="text-muted">N/A</span>;
  const date = new Date(at);
  return (
    <Tooltip text={exactTime(date)}>
      <button type="button" className="cursor-default rounded text-muted">
        <time dateTime={at}>{relativeTime(date, now)}</time>
      </button>
    </Tooltip>
  );
}
