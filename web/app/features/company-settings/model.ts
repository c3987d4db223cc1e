import * as z from "~/lib/zod";
import type { CompanyRow } from "~/lib/database";

export type SettingsRow = Pick<
  CompanyRow,
  | "time_zone"
  | "link_days"
  | "reminders"
  | "reminder_first_days"
  | "reminder_every_days"
  | "reminder_limit"
  | "reminders_by_text"
  | "sender_name"
  | "reply_to"
>;

const wholeNumber = (min: number, max: number) =>
  z
    .number(`Please enter a number from ${min} to ${max}`)
    .int("Please enter a whole number")
    .min(min, `Please enter at least ${min}`)
    .max(max, `Please enter at most ${max}`);

/** The database checks the same rules. */
export const settingsSchema = z.object({
  timeZone: z.string().min(1),
  linkDays: wholeNumber(1, 365),
  reminders: z.boolean(),
  firstDays: wholeNumber(1, 60),
  everyDays: wholeNumber(1, 60),
  limit: wholeNumber(1, 10),
  remindersByText: z.boolean(),
  senderName: z.string().trim().max(200, "Please use at most 200 characters"),
  replyTo: z.union([z.literal(""), z.email("Please enter a complete email address").max(320)]),
});
export type CompanySettings = z.infer<typeof settingsSchema>;

export function toSettings(row: SettingsRow): CompanySettings {
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

export function toRow(settings: CompanySettings): SettingsRow {
  return {
    time_zone: settings.timeZone,
    link_days: settings.linkDays,
    reminders: settings.reminders,
    reminder_first_days: settings.firstDays,
    reminder_every_days: settings.everyDays,
    reminder_limit: settings.limit,
    reminders_by_text: settings.remindersByText,
    sender_name: settings.senderName || null,
    reply_to: settings.replyTo || null,
  };
}

export const dayCount = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

/** Says in a few words when guests are reminded. */
export function describeSchedule({ reminders, firstDays, everyDays, limit }: CompanySettings): string {
  if (!reminders) return "Only when you press Send Reminders.";
  const first = `After ${dayCount(firstDays)}`;
  return limit === 1
    ? `${first}, once.`
    : `${first}, then every ${dayCount(everyDays)}, at most ${limit} times.`;
}

/** Says in whole sentences when guests are reminded, or why no reminder is sent. */
export function describeReminders({
  reminders,
  firstDays,
  everyDays,
  limit,
  linkDays,
}: CompanySettings): string {
  if (!reminders) return "Reminders are sent only when you press Send Reminders.";
  if (firstDays >= linkDays) return `No reminder is sent: the link expires after ${dayCount(linkDays)}.`;
  const firstPart = `The first reminder is sent ${dayCount(firstDays)} after the waiver was sent`;
  const secondPart =
    limit === 1 ? "and it is the only one" : `then one every ${dayCount(everyDays)}, ${limit} in all`;
  return `${firstPart}, ${secondPart}, until the guest signs or the link expires. Always between 9:00 and 19:00 your time.`;
}
