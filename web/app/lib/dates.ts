const SECONDS_PER_UNIT: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exactFormat = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });
const longFormat = new Intl.DateTimeFormat("en", { dateStyle: "long" });

export function relativeTime(then: Date, now: Date): string {
  const seconds = (then.getTime() - now.getTime()) / 1000;
  const unit = SECONDS_PER_UNIT.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds);
  return unit ? relativeFormat.format(Math.round(seconds / unit[1]), unit[0]) : "just now";
}

export const exactTime = (date: Date): string => exactFormat.format(date);

const timeFormat = new Intl.DateTimeFormat("en", { timeStyle: "short" });

/** Formats a time as people say it: "Today, 9:40 AM", "Yesterday, 9:40 AM", or with the whole date. */
export function spokenTime(date: Date, now: Date): string {
  const daysAgo = [0, 1].find((days) => isoDate(daysBefore(now, days)) === isoDate(date));
  if (daysAgo === undefined) return exactTime(date);
  return `${daysAgo === 0 ? "Today" : "Yesterday"}, ${timeFormat.format(date)}`;
}

function daysBefore(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days);
}

export const longDate = (date: Date): string => longFormat.format(date);

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** Formats a date as YYYY-MM-DD in the browser's time zone. */
export function isoDate(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Formats a time as YYYY-MM-DD HH:MM in the browser's time zone, which spreadsheets understand. */
export function isoMinute(date: Date): string {
  return `${isoDate(date)} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
