import type { ReminderPreviewRow } from "~/lib/database";

/** Says why someone gets no reminder. The keys are the obstacles that the function `reminder_preview` returns. */
const REASONS: Record<string, string> = {
  queued: "A reminder is on its way already.",
  recent: "Reminded less than an hour ago.",
  too_often: "Had five reminders in the last 24 hours.",
  limited: "A limit stopped a reminder today. Please try again tomorrow.",
  plan: "Not sent yet, and your plan covers no more waivers this month.",
  stopped: "Has stopped your reminders. The link to sign still works.",
  bounce: "An earlier email came back. Please check the address.",
  complaint: "Reported one of your emails as spam, and gets no more of them.",
  no_address: "Has no email address.",
  expired: "The link has expired. Send the waiver again to get a new one.",
};

export type PlannedReminder = {
  sessionId: string;
  name: string;
  email: string;
  template: string;
  /** When the last message about the waiver was sent, or null if there was none. */
  writtenAt: string | null;
};

/** `count` is the size of the whole group. Of a long group, `rows` contains only the first rows. */
export type ReminderGroup = { rows: PlannedReminder[]; count: number };

/** The people whom the button reminds, and those whom it does not, grouped by the reason. */
export type ReminderPlan = {
  reminded: ReminderGroup;
  leftOut: (ReminderGroup & { reason: string })[];
};

export function toReminderPlan(rows: ReminderPreviewRow[]): ReminderPlan {
  const groups = Map.groupBy(rows, ({ obstacle }) => obstacle);
  const order = Object.keys(REASONS);
  const leftOut = [...groups]
    .flatMap(([obstacle, group]) => (obstacle === null ? [] : [{ obstacle, ...toGroup(group) }]))
    .toSorted((one, other) => order.indexOf(one.obstacle) - order.indexOf(other.obstacle))
    .map(({ obstacle, ...group }) => ({ ...group, reason: REASONS[obstacle] ?? "Cannot be reminded now." }));
  return { reminded: toGroup(groups.get(null) ?? []), leftOut };
}

const toGroup = (rows: ReminderPreviewRow[]): ReminderGroup => ({
  count: rows[0]?.group_count ?? 0,
  rows: rows.map((row) => ({
    sessionId: row.session_id,
    name: row.name,
    email: row.email ?? "",
    template: row.template_name,
    writtenAt: row.written_at,
  })),
});

/** Returns the sessions to remind, or undefined for all of them if the browser has only the first rows. */
export const sessionsToRemind = ({ rows, count }: ReminderGroup): string[] | undefined =>
  rows.length < count ? undefined : rows.map(({ sessionId }) => sessionId);

export const leftOutCount = ({ leftOut }: ReminderPlan): number =>
  leftOut.reduce((sum, { count }) => sum + count, 0);

/** True if the server returned only a part of some group. */
export const isIncomplete = ({ reminded, leftOut }: ReminderPlan): boolean =>
  [reminded, ...leftOut].some(({ rows, count }) => rows.length < count);
