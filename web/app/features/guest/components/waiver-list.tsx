import type { ReactNode } from "react";
import type { MyWaiverRow } from "~/lib/database";
import { Card } from "~/ui/card";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";

type Props = {
  id: string;
  title: string;
  waivers: MyWaiverRow[];
  action: (waiver: MyWaiverRow) => ReactNode;
};

/** Renders nothing if the list is empty. */
export function WaiverList({ id, title, waivers, action }: Props) {
  if (waivers.length === 0) return null;
  return (
    <Card aria-labelledby={id}>
      <h2 id={id} className="border-b border-line px-4 py-4 font-semibold sm:px-5">
        {title}
      </h2>
      <ul className="divide-y divide-line">
        {waivers.map((waiver) => (
          <li
            key={waiver.waiver_id ?? waiver.session_id}
            className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5"
          >
            <div className="min-w-0 grow basis-60">
              <h3 dir="auto" className="truncate font-medium">
                {waiver.template_name}
              </h3>
              <p className="mt-0.5 flex gap-x-1.5 text-sm text-muted max-sm:flex-col">
                <span dir="auto" className="truncate">
                  {waiver.company_name}
                </span>
                <span aria-hidden className="max-sm:hidden">
                  ·
                </span>
                <span className="shrink-0">
                  {waiver.signed_at ? "signed" : "sent"}{" "}
                  <RelativeTime at={waiver.signed_at ?? waiver.sent_at} />
                </span>
              </p>
            </div>
            <Status kind={waiver.status} />
            <div className="ms-auto max-sm:w-full max-sm:[&>*]:w-full">{action(waiver)}</div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
