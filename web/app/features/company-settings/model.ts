import * as z from "zod";
import type { CompanySettings } from "~/lib/database";

const days = (least: number, most: number) =>
  z
    .number(`Please enter a number from ${least} to ${most}`)
    .int("Please enter a whole number")
    .min(least, `Please enter at least ${least}`)
    .max(most, `Please enter at most ${most}`);

/** What the form asks for; the database checks the same. */
export const settingsDraft = z.object({
  timeZone: z.string().min(1),
  linkDays: days(1, 365),
  reminders: z.boolean(),
  firstDays: days(1, 60),
  everyDays: days(1, 60),
  limit: days(1, 10),
  remindersByText: z.boolean(),
  senderName: z.string().trim().max(200, "Please use at most 200 characters"),
  replyTo: z.union([z.literal(""), z.email("Please enter a complete email address").max(320)]),
});
export type SettingsDraft = z.infer<typeof settingsDraft>;

export function draftOf(row: CompanySettings): SettingsDraft {
  return {
    timeZone: row.time_zone,
    linkDays: row.link_days,
    reminders: row.reminders,
    firstDays: row.reminder_first_days,
    everyDays: row.reminder_every_days,
    limit: row.reminder_limit,
    remindersByText: row.reminders_by_text,
    senderName: row.sender_name ?? "",
    replyTo: row.reply_to ?? "",
  };
}

export function rowOf(draft: SettingsDraft): CompanySettings {
  return {
    time_zone: draft.timeZone,
    link_days: draft.linkDays,
    reminders: draft.reminders,
    reminder_first_days: draft.firstDays,
    reminder_every_days: draft.everyDays,
    reminder_limit: draft.limit,
    reminders_by_text: draft.remindersByText,
    sender_name: draft.senderName || null,
    reply_to: draft.replyTo || null,
  };
}

/** The zones this browser knows, with whatever is saved, UTC first. */
export function timeZones(saved: string): string[] {
  const known = Intl.supportedValuesOf("timeZone");
  return ["UTC", ...new Set([...known, saved].toSorted())].filter(
    (zone, at, all) => all.indexOf(zone) === at,
  );
}

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "It is now 14:05 there", so that nobody has to know their zone by name. */
export function timeIn(zone: string, now: Date): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone, hour: "numeric", minute: "2-digit" }).format(now);
  } catch {
    return "";
  }
}

const dayWord = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

/** The rhythm as one would say it. */
export function rhythmInWords({ reminders, firstDays, everyDays, limit, linkDays }: SettingsDraft): string {
  if (!reminders) return "Reminders go out only when you press Send Reminders.";
  if (firstDays >= linkDays) return `No reminder goes out: the link expires after ${dayWord(linkDays)}.`;
  const first = `The first reminder goes out ${dayWord(firstDays)} after the waiver was sent`;
  const more =
    limit === 1 ? "and it is the only one" : `then one every ${dayWord(everyDays)}, ${limit} in all`;
  return `${first}, ${more}, until the guest signs or the link expires. Always between 9:00 and 19:00 your time.`;
}
