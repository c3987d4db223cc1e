import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { exactTime, relativeTime } from "~/lib/dates";
import { paths } from "~/paths";
import { leftOutCount, type PlannedReminder, type ReminderGroup, type ReminderPlan } from "../reminder-plan";

export function ReminderGroups({ plan }: { plan: ReminderPlan }) {
  return (
    <div className="flex flex-col gap-6">
      {plan.reminded.count > 0 && (
        <Section id="reminded-guests" title="Gets a reminder" count={plan.reminded.count}>
          <Guests group={plan.reminded} labelledBy="reminded-guests" />
        </Section>
      )}
      {plan.leftOut.length > 0 && (
        <Section id="left-out-guests" title="Left out" count={leftOutCount(plan)}>
          {plan.leftOut.map((group, index) => (
            <div key={group.reason} className="mt-3 first:mt-1">
              <p id={`left-out-${index}`} className="text-sm text-muted">
                {group.reason}
              </p>
              <Guests group={group} labelledBy={`left-out-${index}`} />
            </div>
          ))}
        </Section>
      )}
    </div>
  );
}

type SectionProps = { id: string; title: string; count: number; children: ReactNode };

function Section({ id, title, count, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {title} <span className="font-normal text-muted tabular-nums">({count.toLocaleString("en")})</span>
      </h3>
      {children}
    </section>
  );
}

function Guests({ group, labelledBy }: { group: ReminderGroup; labelledBy: string }) {
  const moreCount = group.count - group.rows.length;
  return (
    <>
      <ul aria-labelledby={labelledBy} className="divide-y divide-line">
        {group.rows.map((guest) => (
          <Guest key={guest.sessionId} guest={guest} />
        ))}
      </ul>
      {moreCount > 0 && (
        <p className="border-t border-line pt-2 text-sm text-muted">
          and {moreCount.toLocaleString("en")} more
        </p>
      )}
    </>
  );
}

function Guest({ guest }: { guest: PlannedReminder }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 py-2.5">
      <div className="min-w-0 grow basis-52">
        <Link
          dir="auto"
          to={paths.waiver(guest.sessionId)}
          className="block w-fit max-w-full font-medium wrap-anywhere hover:underline"
        >
          {guest.name}
        </Link>
        <p className="text-sm wrap-anywhere text-muted">
          {[guest.email, guest.template].filter(Boolean).join(" · ")}
        </p>
      </div>
      <p className="text-sm text-muted">
        {guest.writtenAt ? <LastMessage at={guest.writtenAt} /> : "Not written to yet"}
      </p>
    </li>
  );
}

/** RelativeTime is not used here, because the Tab key would stop at its tooltip in every row of a long list. */
function LastMessage({ at }: { at: string }) {
  const [now] = useState(() => new Date());
  const date = new Date(at);
  return (
    <>
      Last message{" "}
      <time dateTime={at} title={exactTime(date)}>
        {relativeTime(date, now)}
      </time>
    </>
  );
}
