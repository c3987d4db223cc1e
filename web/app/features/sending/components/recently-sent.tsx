import { Card } from "~/ui/card";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";
import { useSentWaivers } from "../api/sent-waivers";

/** What became of the newest mails, below the templates they came from. */
export function RecentlySent() {
  const { data: sent } = useSentWaivers();
  if (!sent?.length) return null;
  return (
    <Card aria-labelledby="recently-sent">
      <h2 id="recently-sent" className="border-b border-line px-5 py-4 font-semibold">
        Recently sent
      </h2>
      <ul className="divide-y divide-line">
        {sent.map((record) => (
          <li key={record.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
            <div className="min-w-0 grow basis-48">
              <p dir="auto" className="truncate font-medium">
                {record.recipient_name}
              </p>
              <p className="truncate text-sm text-ink-soft">
                {record.template_name} · {record.recipient_email}
              </p>
              {record.email_error && <p className="text-sm text-red-ink">{record.email_error}</p>}
            </div>
            <Status kind={record.email_status} />
            <span className="text-sm sm:w-28 sm:text-end">
              <RelativeTime at={record.sent_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
