const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });
const long = new Intl.DateTimeFormat("en", { dateStyle: "long" });

export function relativeTime(then: Date, now: Date): string {
  const seconds = (then.getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : "just now";
}

export const exactTime = (date: Date): string => exact.format(date);

export const longDate = (date: Date): string => long.format(date);

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** YYYY-MM-DD in the browser's time zone. */
export function isoDate(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** YYYY-MM-DD HH:MM in the browser's time zone, as spreadsheets understand it. */
export function isoMinute(date: Date): string {
  return `${isoDate(date)} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
